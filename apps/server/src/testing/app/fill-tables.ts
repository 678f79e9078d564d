import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import * as schema from '../../database/schema.ts';

const valuesOfTypes: Record<string, string> = {
  text: `E'tab\\t, line\\n, \\\\., "quote", żółć 🔑'`,
  bytea: `'\\x00ff5c'`,
  jsonb: `'{"text": "line\\n"}'`,
  boolean: 'true',
  date: `'2026-02-28'`,
  inet: `'2001:db8::1'`,
  'timestamp with time zone': 'now()',
};

const valueOf = (column: PgColumn, references: Map<string, string>): string => {
  const reference = references.get(column.name);
  if (reference !== undefined) return reference;
  if (column.enumValues?.[0] !== undefined) return pg.escapeLiteral(column.enumValues[0]);
  const type = column.getSQLType();
  if (type.endsWith('[]')) return `'{}'`;
  return valuesOfTypes[type] ?? '1';
};

/** Inserts a row unless there is one. Columns that may be empty stay so. */
const fill = async (client: pg.Client, table: PgTable): Promise<void> => {
  const { name } = getTableConfig(table);
  const { rows: keys } = await client.query<{ column: string; value: string }>(
    // All columns of a key refer to the same row, the first one. A key of several columns comes last, because it says more about each.
    `select a.attname as column, format('(select %I from %s order by %s limit 1)', r.attname, c.confrelid::regclass, referred.columns) as value
     from pg_constraint c
       cross join lateral (
         select string_agg(quote_ident(attname), ', ' order by place) as columns
         from unnest(c.confkey) with ordinality as key (attnum, place) join pg_attribute using (attnum) where attrelid = c.confrelid
       ) as referred
       cross join lateral unnest(c.conkey, c.confkey) as pair (own, other)
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = pair.own
       join pg_attribute r on r.attrelid = c.confrelid and r.attnum = pair.other
     where c.contype = 'f' and c.conrelid = $1::regclass
     order by cardinality(c.conkey)`,
    [name],
  );
  const references = new Map(keys.map(({ column, value }) => [column, value]));
  const required = Object.values(getTableColumns(table)).filter(
    (column) => column.notNull && !column.hasDefault && !column.generated && !column.generatedIdentity,
  );
  const columns = required.map((column) => pg.escapeIdentifier(column.name)).join(', ');
  const values = required.map((column) => valueOf(column, references)).join(', ');
  const { rowCount } = await client.query(`select from ${name} limit 1`);
  if (rowCount === 0)
    await client.query(
      columns === '' ? `insert into ${name} default values` : `insert into ${name} (${columns}) select ${values}`,
    );
};

/** Adds a row to every table that has none, so that a test cannot forget a table. */
export const fillTables = async (where: pg.ClientConfig): Promise<void> => {
  const client = new pg.Client(where);
  await client.connect();
  try {
    // Without triggers: encrypted values are not real ones.
    await client.query('set session_replication_role = replica');
    let tables = Object.values<unknown>(schema).filter((value) => is(value, PgTable));
    while (tables.length > 0) {
      const failed: { table: PgTable; error: unknown }[] = [];
      for (const table of tables) await fill(client, table).catch((error: unknown) => failed.push({ table, error }));
      // Those that have failed may refer to tables that were filled after them.
      if (failed.length === tables.length)
        throw new AggregateError(
          failed.map(({ error }) => error),
          failed.map(({ error }) => String(error)).join('; '),
        );
      tables = failed.map(({ table }) => table);
    }
  } finally {
    await client.end();
  }
};
