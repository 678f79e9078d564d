import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './connect.ts';

const batchSize = 5_000;

/** Deletes rows in bounded batches, so that other writers do not wait long for row locks. */
export const deleteInBatches = async (db: Queryable, table: PgTable, isStale: SQL): Promise<void> => {
  const { rowCount } = await db.execute(
    sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${isStale} limit ${batchSize}))`,
  );
  if (rowCount === batchSize) await deleteInBatches(db, table, isStale);
};
