import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { trashRows, users } from '../../database/schema.ts';
import {
  insertedColumnsOf,
  partsOf,
  type Subject,
  sealedColumnOf,
  type Target,
  type TrashPart,
} from './trash.parts.ts';
import type { TrashRecord } from './trash.queries.ts';

const columnList = (columns: readonly string[], of?: string): SQL =>
  sql.join(
    columns.map((column) => (of ? sql`${sql.identifier(of)}.${sql.identifier(column)}` : sql.identifier(column))),
    sql`, `,
  );

/**
 * The number of rows of one table that are copied at most. A copy is made while somebody waits, and takes about 60 microseconds per row;
 * a statement may take five seconds.
 */
const mostRows = 20_000;

/** Whether an object, such as a group of a whole university, has too many rows to be copied. */
export const isTooLarge = async (tx: Transaction, subject: Subject): Promise<boolean> => {
  for (const { table, rows } of partsOf(subject)) {
    const { rows: found } = await tx.execute(
      sql`select from ${table} where ${rows(subject, tx)} offset ${mostRows} limit 1`,
    );
    if (found.length > 0) return true;
  }
  return false;
};

/** Copies the rows of a deleted object, one statement per table. */
export const copyRows = async (tx: Transaction, trashId: number, subject: Subject): Promise<void> => {
  for (const { table, rows, target, file } of partsOf(subject)) {
    const sealed = sealedColumnOf(table);
    const kept = insertedColumnsOf(table).filter((column) => column !== sealed);
    await tx.execute(sql`
      insert into ${trashRows} (trash_id, table_name, row, label, file, sealed)
      select ${trashId}, ${getTableName(table)}, to_jsonb(copied), ${target?.label ?? null}::text, ${file ?? null}::text,
        ${sealed ? sql.identifier(sealed) : null}::bytea
      from ${table} cross join lateral (select ${columnList(kept, getTableName(table))}) as copied
      where ${rows(subject, tx)}`);
  }
};

type RestoredRows = {
  entry: Pick<TrashRecord, 'id' | 'network_id'>;
  part: TrashPart;
  /** Columns that have another value than before. */
  overrides: Readonly<Record<string, unknown>>;
};

/**
 * Inserts the copied rows of one table again, with their ids. Rows whose target is gone are left out. Columns that were added since have
 * their defaults.
 */
export const restoreRows = async (
  tx: Transaction,
  { entry: { id: trashId, network_id: networkId }, part: { table, target, mayExist }, overrides }: RestoredRows,
): Promise<void> => {
  const columns = await findCopiedColumns(tx, trashId, table);
  if (columns.length === 0) return;
  const name = sql.identifier(getTableName(table));
  const sealed = sealedColumnOf(table);
  const unsealed = sealed
    ? sql`|| jsonb_build_object(${sealed}::text, '\\x' || encode(${trashRows.sealed}, 'hex'))`
    : sql``;
  const isPresent = target ? sql`and ${targetExists(target, networkId, sql`restored`)}` : sql``;
  await tx.execute(sql`
    insert into ${name} (${columnList(columns)}) overriding system value
    select ${columnList(columns, 'restored')}
    from ${trashRows} cross join lateral
      jsonb_populate_record(null::${name}, ${trashRows.row} ${unsealed} || ${JSON.stringify(overrides)}::jsonb) as restored
    where ${trashRows.trash_id} = ${trashId} and ${trashRows.table_name} = ${getTableName(table)} ${isPresent}
    order by ${trashRows.id} ${mayExist ? sql`on conflict do nothing` : sql``}`);
};

/** The columns of a table that were copied and still exist. All copies of a deletion have the same. */
const findCopiedColumns = async (tx: Queryable, trashId: number, table: TrashPart['table']): Promise<string[]> => {
  const { rows } = await tx.execute<{ copied: string[] }>(sql`
    select array(select jsonb_object_keys(${trashRows.row})) as copied from ${trashRows}
    where ${trashRows.trash_id} = ${trashId} and ${trashRows.table_name} = ${getTableName(table)} limit 1`);
  const copied = new Set(rows[0]?.copied);
  const sealed = sealedColumnOf(table);
  return copied.size === 0 ? [] : insertedColumnsOf(table).filter((column) => copied.has(column) || column === sealed);
};

const targetExists = ({ column, table, key, inNetwork }: Target, networkId: number, row: SQL): SQL =>
  sql`exists (select from ${table} as target where target.${sql.identifier(key)} = ${row}.${sql.identifier(column)}
    and target.${inNetwork(networkId)})`;

/** Locks the targets of the copied rows, so that none of them is deleted before the restore ends. */
export const lockTargets = async (
  tx: Transaction,
  trashId: number,
  networkId: number,
  { table, target }: TrashPart,
): Promise<void> => {
  if (!target) return;
  const key = sql.identifier(target.key);
  await tx.execute(sql`
    select from ${target.table} where ${target.inNetwork(networkId)} and ${key} in (
      select (${trashRows.row} ->> ${target.column})::bigint from ${trashRows}
      where ${trashRows.trash_id} = ${trashId} and ${trashRows.table_name} = ${getTableName(table)})
    order by ${key} for key share`);
};

/** The number of copied rows, and of those whose target is gone, with the names of some of them. */
export const findGone = async (
  tx: Transaction,
  trashId: number,
  networkId: number,
  tableName: string,
  target: Target,
): Promise<{ total: number; gone: number; names: string[] }> => {
  const copied = sql`(select ${trashRows.label} as label,
      (jsonb_populate_record(null::${sql.identifier(tableName)}, ${trashRows.row})).${sql.identifier(target.column)}
    from ${trashRows} where ${trashRows.trash_id} = ${trashId} and ${trashRows.table_name} = ${tableName})`;
  const isGone = sql`not ${targetExists(target, networkId, sql`copied`)}`;
  const { rows } = await tx.execute<{ total: number; gone: number; names: string[] }>(sql`
    select count(*)::int as total, (count(*) filter (where is_gone))::int as gone,
      coalesce((array_agg(label order by label) filter (where is_gone))[1:5], '{}') as names
    from (select label, ${isGone} as is_gone from ${copied} as copied) as checked`);
  return rows[0] ?? { total: 0, gone: 0, names: [] };
};

/** The first copied row of a table. */
export const findRootRow = async (tx: Transaction, trashId: number, table: PgTable) => {
  const [found] = await tx
    .select({ row: trashRows.row })
    .from(trashRows)
    .where(and(eq(trashRows.trash_id, trashId), eq(trashRows.table_name, getTableName(table))))
    .limit(1);
  return found?.row;
};

/** Whether the account of a person was deleted, and not only their membership. */
export const isAccountCopied = async (tx: Transaction, trashId: number): Promise<boolean> =>
  (await findRootRow(tx, trashId, users)) !== undefined;

/** Whether a row of the network still exists, by the value of a unique column. It is locked against deletion. */
export const isTargetPresent = async (
  tx: Transaction,
  networkId: number,
  { table, key, value }: { table: PgTable; key: string; value: unknown },
): Promise<boolean> => {
  const { rowCount } = await tx.execute(
    sql`select from ${table} where ${sql.identifier(key)} = ${value} and network_id = ${networkId} for key share`,
  );
  return rowCount === 1;
};
