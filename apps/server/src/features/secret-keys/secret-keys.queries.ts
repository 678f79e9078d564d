import { and, eq, gt, isNotNull, ne, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { installation, secretKeys } from '../../database/schema.ts';
import type { SealedValues } from './sealed-values.ts';

export type StoredKey = typeof secretKeys.$inferSelect;

export const findSecretKeys = (db: Queryable): Promise<StoredKey[]> =>
  db.select().from(secretKeys).orderBy(secretKeys.created_at, secretKeys.key_id);

/** Whether a server has started on this database before. */
export const isInstalled = async (db: Queryable): Promise<boolean> =>
  (await db.$count(installation, isNotNull(installation.console_private_key))) > 0;

/** Lists the key of an installation that is older than the list. */
export const insertFirstKey = (tx: Transaction, keyId: string) =>
  tx.insert(secretKeys).values({ key_id: keyId, seals_format_1: true });

/** Lists a key before values are encrypted with it. */
export const ensureSecretKey = (tx: Transaction, keyId: string) =>
  tx.insert(secretKeys).values({ key_id: keyId }).onConflictDoNothing();

/** Renews the time of the last use. Returns false if the key is not listed any more. */
export const touchSecretKey = async (db: Queryable, keyId: string): Promise<boolean> => {
  const { rowCount } = await db
    .update(secretKeys)
    .set({ last_used_at: sql`now()` })
    .where(eq(secretKeys.key_id, keyId));
  return rowCount === 1;
};

/** The keys, other than one, that servers have reported within the last seconds. */
export const findKeysInUse = async (db: Queryable, except: string, seconds: number): Promise<string[]> => {
  const found = await db
    .select({ id: secretKeys.key_id })
    .from(secretKeys)
    .where(
      and(
        ne(secretKeys.key_id, except),
        gt(secretKeys.last_used_at, sql`clock_timestamp() - make_interval(secs => ${seconds})`),
      ),
    );
  return found.map(({ id }) => id);
};

/** Locks a key: transactions that have written values with it end first, and others wait. */
export const lockSecretKey = async (
  tx: Transaction,
  keyId: string,
): Promise<{ key: StoredKey; secondsUnused: number } | undefined> => {
  const [found] = await tx
    .select({
      key: secretKeys,
      secondsUnused: sql<number>`coalesce(extract(epoch from clock_timestamp() - ${secretKeys.last_used_at}), 'infinity')::float8`,
    })
    .from(secretKeys)
    .where(eq(secretKeys.key_id, keyId))
    .for('update');
  return found;
};

export const deleteSecretKey = (tx: Transaction, keyId: string) =>
  tx.delete(secretKeys).where(eq(secretKeys.key_id, keyId));

/** The condition that a value needs a key, which may be the one of values of format 1. */
export const needs = ({ isUnder, isFormat1 }: SealedValues, key: StoredKey): SQL =>
  key.seals_format_1 ? sql`(${isUnder(key.key_id)} or ${isFormat1})` : isUnder(key.key_id);

/** The number of values that meet a condition, counted up to a limit. */
export const countSealed = async (
  db: Queryable,
  { table, value }: SealedValues,
  condition: SQL,
  limit?: number,
): Promise<number> => {
  const upTo = limit === undefined ? sql`` : sql`limit ${limit}`;
  const { rows } = await db.execute<{ counted: number }>(
    sql`select count(*)::float8 as counted from (select from ${table} where ${value} is not null and ${condition} ${upTo}) as found`,
  );
  return rows[0]?.counted ?? 0;
};

export type SealedRow = { row_id: string; value: unknown };

/**
 * The next values that are not encrypted with a key, in the order of their ids. Their rows are locked; rows that
 * somebody else has locked are skipped, so that a rekey never waits and cannot take part in a deadlock.
 */
export const lockNextSealed = async (
  tx: Transaction,
  { table, id, value, isUnder }: SealedValues,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<SealedRow[]> => {
  const { rows } = await tx.execute<SealedRow>(
    sql`select ${id}::text as row_id, ${value} as value from ${table}
      where ${id} > ${after}::bigint and ${value} is not null and not (${isUnder(keyId)})
      order by ${id} limit ${limit} for no key update skip locked`,
  );
  return rows;
};

export type ResealedRow = { row_id: string; from: unknown; to: Buffer | string };

/** Replaces values that are still what they were. Returns how many were. */
export const updateSealed = async (
  tx: Transaction,
  { table, id, value, arrayType, assign }: SealedValues,
  changes: readonly ResealedRow[],
): Promise<number> => {
  const list = (values: unknown[]) => sql.param(values);
  const { rowCount } = await tx.execute(
    sql`update ${table} set ${assign(sql`changed.resealed`)}
      from unnest(${list(changes.map((change) => change.row_id))}::bigint[], ${list(changes.map(({ from }) => from))}::${arrayType},
        ${list(changes.map(({ to }) => to))}::${arrayType}) as changed (row_id, former, resealed)
      where ${table}.${id} = changed.row_id and ${value} = changed.former`,
  );
  return rowCount ?? 0;
};
