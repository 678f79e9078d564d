import { ApiError } from '@opensocial/contract';
import { and, asc, type Column, desc, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Database, Queryable } from './connect.ts';

/** The order of a list: by a sort key, then by id. Only the id is sent to clients as the cursor. */
type Order = { by: Column | SQL; id: Column; descending?: boolean | undefined };

export type Listing = {
  order: Order;
  /** The condition that a row belongs to the list. */
  scope: SQL;
  /** Another table with columns of the fields, which has exactly one row for each row of the list. */
  join?: { table: PgTable; on: SQL } | undefined;
  /** Search and filters. */
  match?: SQL | undefined;
  /** Returns the total if there is a faster way than counting the rows. */
  count?: (() => PromiseLike<number> | undefined) | undefined;
  lastId: number;
  size: number;
};

/** Reads a page of a list, and the exact total for the same search and filters. */
export const readPage = async <Fields extends SelectedFields>(
  db: Queryable,
  table: PgTable,
  fields: Fields,
  { order, scope, join, match, count, lastId, size }: Listing,
): Promise<{ rows: SelectResultFields<Fields>[]; total: number }> => {
  await assertCursor(db, order.id, lastId, scope);
  const direction = order.descending ? desc : asc;
  const readRows = (...caller: SQL[]) => {
    const rows = (db as Database)
      .select(fields as SelectedFields)
      .from(table)
      .where(and(scope, match, afterCursor(order, lastId, scope)))
      .orderBy(...caller)
      .limit(size)
      .$dynamic();
    return join ? rows.innerJoin(join.table, join.on) : rows;
  };
  const inOrder = [direction(order.by), direction(order.id)];
  const counting = count?.() ?? db.$count(table, and(scope, match));
  const [rows, total] = match
    ? await readFound(counting, (isRare) =>
        readRows(...(isRare ? [direction(sql`(${order.by}, ${order.id})`)] : inOrder)),
      )
    : await Promise.all([readRows(...inOrder), counting]);
  return { rows: rows as SelectResultFields<Fields>[], total };
};

/**
 * Up to this many matches are collected first and then sorted. With more matches, scanning in sort order finds a page
 * quickly.
 */
export const maximumSortedMatches = 20_000;

/**
 * PostgreSQL cannot estimate how rare a substring is, and scans the index of the sort order even if it has to read all
 * of it. Sorting by a row expression, for which there is no index, makes it use the search index instead.
 */
const readFound = async <Row>(counting: PromiseLike<number>, read: (isRare: boolean) => PromiseLike<Row[]>) => {
  const total = await counting;
  return [await read(total <= maximumSortedMatches), total] as const;
};

/** Rows after the cursor's row, by the current sort key of that row. */
const afterCursor = (order: Order, lastId: number, scope: SQL): SQL | undefined =>
  lastId === 0
    ? undefined
    : sql`(${order.by}, ${order.id}) ${sql.raw(order.descending ? '<' : '>')} (select ${order.by}, ${order.id} from ${order.id.table} where ${order.id} = ${lastId} and ${scope})`;

/**
 * A cursor whose row was deleted or is not in the list has no position, so the client has to start again. `scope` keeps
 * callers from learning about other rows.
 */
export const assertCursor = async (db: Queryable, id: Column, lastId: number, scope: SQL): Promise<void> => {
  if (lastId === 0) return;
  const found = await db.execute(
    sql`select 1 from ${sql.identifier(getTableName(id.table))} where ${eq(id, lastId)} and ${scope}`,
  );
  if (found.rowCount === 0) throw new ApiError('cursor_gone');
};

const escaped = (text: string): string => text.replaceAll(/[%_\\]/g, String.raw`\$&`);

export const patternOf = (keyword: string): string => `%${escaped(keyword)}%`;

/** Case-insensitive substring match. `%`, `_` and `\` are matched literally. */
export const contains = (column: Column, keyword: string | undefined): SQL | undefined =>
  keyword === undefined ? undefined : sql`${column} ilike ${patternOf(keyword)}`;

/** Substring match in the text of a JSON column, including its keys. */
export const containsText = (column: Column, keyword: string): SQL => sql`${column}::text ilike ${patternOf(keyword)}`;

/**
 * Substring match in a column that is stored in lower case, which is several times as fast. A trigram index cannot find
 * two characters, so these are searched in the column `spread`, which has a marker between all characters.
 */
export const containsFolded = (
  { searched, spread }: { searched: Column; spread: Column },
  keyword: string | undefined,
): SQL | undefined => {
  if (keyword === undefined) return undefined;
  const [first, second, third] = keyword.toLowerCase();
  return first !== undefined && second !== undefined && third === undefined
    ? sql`${spread} like '%' || lower(${escaped(first)}) || 'Q' || lower(${escaped(second)}) || '%'`
    : sql`${searched} like lower(${patternOf(keyword)})`;
};
