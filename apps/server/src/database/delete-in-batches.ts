import { type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from './connect.ts';

const rowsAtOnce = 5_000;

/** Deletes rows in statements of bounded length, so that no other writer waits long for a row lock. */
export const deleteInPieces = async (db: Queryable, table: PgTable, isStale: SQL): Promise<void> => {
  const { rowCount } = await db.execute(
    sql`delete from ${table} where ctid = any(array(select ctid from ${table} where ${isStale} limit ${rowsAtOnce}))`,
  );
  if (rowCount === rowsAtOnce) await deleteInPieces(db, table, isStale);
};
