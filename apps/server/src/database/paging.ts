import { ApiError } from '@opensocial/contract';
import { and, asc, type Column, desc, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Database, Queryable } from './connect.ts';

/** A list's order: by a sort key, and by id where two rows share it. The id alone is the cursor that travels. */
type Order = { by: Column; id: Column; descending?: boolean };

export type Listing = {
  order: Order;
  /** Whatever makes a row the list's own. */
  scope: SQL;
  /** Search and filters. */
  match?: SQL | undefined;
  /** The total, where there is a quicker way to it than to count the rows. */
  count?: (() => PromiseLike<number> | undefined) | undefined;
  lastId: number;
  size: number;
};

/** A page of a list, and the exact total for the same search and filters. */
export const readPage = async <Fields extends SelectedFields>(
  db: Queryable,
  table: PgTable,
  fields: Fields,
  { order, scope, match, count, lastId, size }: Listing,
): Promise<{ rows: SelectResultFields<Fields>[]; total: number }> => {
  await assertCursor(db, order.id, lastId, scope);
  const direction = order.descending ? desc : asc;
  const readRows = (...by: SQL[]) =>
    (db as Database)
      .select(fields as SelectedFields)
      .from(table)
      .where(and(scope, match, afterCursor(order, lastId)))
      .orderBy(...by)
      .limit(size);
  const inOrder = [direction(order.by), direction(order.id)];
  const counting = count?.() ?? db.$count(table, and(scope, match));
  const [rows, total] = match
    ? await readFound(counting, (isRare) =>
        readRows(...(isRare ? [direction(sql`(${order.by}, ${order.id})`)] : inOrder)),
      )
    : await Promise.all([readRows(...inOrder), counting]);
  return { rows: rows as SelectResultFields<Fields>[], total };
};

/** So few are found first and sorted then; more are soon met on a walk along the order. */
export const fewFound = 20_000;

/**
 * PostgreSQL does not know how rare a part of a word is, and walks along the order even where it would have to walk to its
 * end. Sorted by a pair, which no index has, the rows are found by what is looked for.
 */
const readFound = async <Row>(counting: PromiseLike<number>, read: (isRare: boolean) => PromiseLike<Row[]>) => {
  const total = await counting;
  return [await read(total <= fewFound), total] as const;
};

/** Rows behind the cursor's, wherever its sort key has moved to meanwhile. */
const afterCursor = (order: Order, lastId: number): SQL | undefined =>
  lastId === 0
    ? undefined
    : sql`(${order.by}, ${order.id}) ${sql.raw(order.descending ? '<' : '>')} (select ${order.by}, ${order.id} from ${order.id.table} where ${order.id} = ${lastId})`;

/**
 * A cursor whose row is gone, or is none of the list's, has no place in the order: the caller has to start again. `scope`
 * keeps callers from learning of other rows.
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

/** Case-insensitive substring match, in which `%`, `_` and `\` mean themselves. */
export const contains = (column: Column, keyword: string | undefined): SQL | undefined =>
  keyword === undefined ? undefined : sql`${column} ilike ${patternOf(keyword)}`;

/** The same in all that a JSON column holds, its keys too. */
export const containsText = (column: Column, keyword: string): SQL => sql`${column}::text ilike ${patternOf(keyword)}`;

/**
 * The same for a column that is kept in lower case, which is several times as fast. Two characters are looked for where a mark
 * stands between: there they make a trigram.
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
