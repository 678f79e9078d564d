import { ApiError } from '@opensocial/contract';
import { type Column, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from './connect.ts';

/** A list's order: by a sort key, and by id where two rows share it. The id alone is the cursor that travels. */
export type Order = { by: Column; id: Column };

/** Rows behind the cursor's, wherever its sort key has moved to meanwhile. */
export const afterCursor = (order: Order, lastId: number): SQL | undefined =>
  lastId === 0
    ? undefined
    : sql`(${order.by}, ${order.id}) > (select ${order.by}, ${order.id} from ${order.id.table} where ${order.id} = ${lastId})`;

/**
 * A cursor whose row is gone, or is none of the list's, has no place in the order: the caller has to start again. `scope`
 * is whatever makes a row the list's own, so that nobody learns of other rows.
 */
export const assertCursor = async (db: Queryable, order: Order, lastId: number, scope: SQL): Promise<void> => {
  if (lastId === 0) return;
  const found = await db.execute(
    sql`select 1 from ${sql.identifier(getTableName(order.id.table))} where ${eq(order.id, lastId)} and ${scope}`,
  );
  if (found.rowCount === 0) throw new ApiError('cursor_gone');
};

/** Case-insensitive substring match, in which `%`, `_` and `\` mean themselves. */
export const contains = (column: Column, keyword: string | undefined): SQL | undefined =>
  keyword === undefined ? undefined : sql`${column} ilike ${`%${keyword.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`}`;
