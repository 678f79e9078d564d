import { getTableColumns, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import * as schema from './schema.ts';

type Column = { table: string; column: string; type: string; isRequired: boolean; hasDefault: boolean };

const describeAll = (columns: Column[]): string[] =>
  columns
    .map(({ table, column, type, isRequired, hasDefault }) =>
      [`${table}.${column}`, type, isRequired ? 'not null' : '', hasDefault ? 'default' : ''].filter(Boolean).join(' '),
    )
    .toSorted();

const declared = Object.values<unknown>(schema)
  .filter((value) => is(value, PgTable))
  .flatMap((table) =>
    Object.values(getTableColumns(table)).map((column) => ({
      table: getTableConfig(table).name,
      column: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull,
      hasDefault: column.hasDefault || column.generated !== undefined || column.generatedIdentity !== undefined,
    })),
  );

test('the migrations create exactly the tables and columns of the schema', async () => {
  const { rows } = await query<Column>(
    await makeDatabase(templateName),
    `select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
       a.attnotnull as "isRequired", a.atthasdef or a.attidentity <> '' as "hasDefault"
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> 'migrations' and a.attnum > 0 and not a.attisdropped`,
  );
  expect(declared.length).toBeGreaterThan(100);
  expect(describeAll(rows)).toEqual(describeAll(declared));
});
