import { ApiError, type Counting, maximumCounted, maximumCountedAtOnce } from '@opensocial/contract';
import { and, asc, type Column, desc, eq, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgTable, SelectedFields } from 'drizzle-orm/pg-core';
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types';
import type { Database, Queryable } from './connect.ts';

/** The order of a list: by a sort key, then by id. Only the id is sent to clients as the cursor. */
type Order = { by: Column | SQL; id: Column; descending?: boolean | undefined };

/** `total_is_minimum`: there are more rows than the total. */
export type Total = { total: number; total_is_minimum?: true | undefined };

export const exactly = (total: number): Total => ({ total });

export type Listing = {
  order: Order;
  /** The condition that a row belongs to the list. */
  scope: SQL;
  /** Another table with columns of the fields, which has exactly one row for each row of the list. */
  join?: { table: PgTable; on: SQL } | undefined;
  /** Search and filters. */
  match?: SQL | undefined;
  /** Returns the total if there is a faster way than counting the rows. */
  count?: ((limit: number) => PromiseLike<Total>) | undefined;
  /**
   * Conditions that divide the rows into parts, in the order of the list. If there are many matches, the parts are searched one after the other
   * until the page is full. The index of the search condition has to find the rows of a part.
   */
  parts?: (() => Promise<readonly SQL[]>) | undefined;
  /** The same as `match`, if the index of the order contains what it compares: frequent matches are then found by reading its beginning. */
  matchInOrder?: SQL | undefined;
  counting?: Counting;
  lastId: number;
  size: number;
};

export const countingLimit = (counting: Counting): number =>
  counting === 'quick' ? maximumCountedAtOnce : maximumCounted;

/** The rows of a list that match, without their order. */
const select = (db: Queryable, table: PgTable, { join }: Pick<Listing, 'join'>, selection: SelectedFields) => {
  const rows = (db as Database).select(selection).from(table).$dynamic();
  return join ? rows.innerJoin(join.table, join.on) : rows;
};

/** Counts the rows, but not beyond the limit. */
export const countRows = async (
  db: Queryable,
  table: PgTable,
  listed: Pick<Listing, 'scope' | 'match' | 'join'>,
  limit: number,
): Promise<Total> => {
  const rows = select(db, table, listed, { one: sql`1`.as('one') }).where(and(listed.scope, listed.match));
  const total = await (db as Database).$count(rows.limit(limit + 1).as('counted'));
  return total > limit ? { total: limit, total_is_minimum: true } : exactly(total);
};

const directionOf = ({ descending }: Order) => (descending ? desc : asc);

/** Reads a page of a list, and the total for the same search and filters. */
export const readPage = async <Fields extends SelectedFields>(
  db: Queryable,
  table: PgTable,
  fields: Fields,
  listing: Listing,
): Promise<{ rows: SelectResultFields<Fields>[] } & Total> => {
  const { order, scope, match, count, counting, lastId, size } = listing;
  await assertCursor(db, order.id, lastId, scope);
  const limit = countingLimit(counting);
  const countAll = () => count?.(limit) ?? countRows(db, table, listing, limit);
  if (counting === 'only') return { rows: [], ...(await countAll()) };

  const direction = directionOf(order);
  const inOrder = [direction(order.by), direction(order.id)];
  // PostgreSQL cannot estimate how rare a substring is, and scans the index of the sort order even if it has to read all
  // of it. Sorting by a row expression, for which there is no index, makes it use the search index instead.
  const sorted = [direction(sql`(${order.by}, ${order.id})`)];
  const after = afterCursor(order, lastId, scope);
  const read = async (where: SQL | undefined, by: SQL[], most = size) =>
    (await select(db, table, listing, fields)
      .where(and(scope, where))
      .orderBy(...by)
      .limit(most)) as SelectResultFields<Fields>[];
  const readById = (ids: readonly string[]) => read(sql`${order.id} = any(${sql.param(ids)}::bigint[])`, inOrder);
  const readParts = async (parts: readonly SQL[]) => {
    const rows: SelectResultFields<Fields>[] = [];
    for (const part of parts) {
      if (rows.length >= size) break;
      // oxlint-disable-next-line no-await-in-loop -- a part is searched only if those before it do not fill the page
      rows.push(...(await read(and(match, part, after), sorted, size - rows.length)));
    }
    return rows;
  };
  const readFrequent = async () =>
    listing.parts ? readParts(await listing.parts()) : read(and(match, after), inOrder);

  if (match === undefined) {
    const [rows, total] = await Promise.all([read(after, inOrder), countAll()]);
    return { rows, ...total };
  }
  if (count) {
    const total = await count(limit);
    const isRare = !total.total_is_minimum && total.total <= maximumSortedMatches;
    return { rows: isRare ? await read(and(match, after), sorted) : await readFrequent(), ...total };
  }
  const countBeyond = async (known: number): Promise<Total> =>
    counting === 'quick' ? { total: known, total_is_minimum: true } : countAll();
  const first = await findAtBeginning(db, table, listing);
  if (first.length === size) return { rows: await readById(first), ...(await countBeyond(size)) };
  const { ids, total } = await collectMatches(db, table, listing);
  if (total <= maximumSortedMatches) return { rows: await readById(ids), total };
  return { rows: await readFrequent(), ...(await countBeyond(maximumSortedMatches)) };
};

/** The ids of the page, if the matches are so frequent that the next rows in the order of the list fill it. */
const findAtBeginning = async (db: Queryable, table: PgTable, listing: Listing): Promise<string[]> => {
  const { order, scope, matchInOrder, lastId, size } = listing;
  if (!matchInOrder) return [];
  const inOrder = sql`${directionOf(order)(order.by)}, ${directionOf(order)(order.id)}`;
  const after = afterCursor(order, lastId, scope) ?? sql`true`;
  // With the name of the table, so that the conditions apply to this part of it.
  const beginning = sql`(select * from ${table} where ${after} order by ${inOrder} limit ${searchedAtOnce}) as ${sql.identifier(getTableName(table))}`;
  const { rows } = await db.execute<{ id: string }>(
    sql`select ${order.id} as id from ${beginning} where ${scope} and ${matchInOrder} order by ${inOrder} limit ${size}`,
  );
  return rows.map(({ id }) => id);
};

/** The number of matches and the ids of the page, found in one pass. With too many matches, both are incomplete. */
const collectMatches = async (
  db: Queryable,
  table: PgTable,
  listing: Listing,
): Promise<{ total: number; ids: string[] }> => {
  const { order, scope, match, lastId, size } = listing;
  const direction = directionOf(order);
  const [key, id] = [sql.identifier('key'), sql.identifier('id')];
  const matches = select(db, table, listing, { id: sql`${order.id}`.as('id'), key: sql`${order.by}`.as('key') })
    .where(and(scope, match))
    .limit(maximumSortedMatches + 1);
  const after = afterCursor(order, lastId, scope, sql`(${key}, ${id})`) ?? sql`true`;
  const { rows } = await db.execute<{ total: number; ids: string[] }>(sql`
    with matches as materialized (${matches})
    select (select count(*) from matches)::int as total,
      array(select ${id} from matches where ${after} order by ${direction(key)}, ${direction(id)} limit ${size}) as ids`);
  return rows[0] ?? { total: 0, ids: [] };
};

/**
 * Up to this many matches are collected first and then sorted. With more matches, scanning in sort order finds a page
 * quickly.
 */
export const maximumSortedMatches = maximumCountedAtOnce;

/** How many rows are searched in the order of a list before its matches are collected. */
const searchedAtOnce = 30_000;

/** Rows after the cursor's row, by the current sort key of that row. */
const afterCursor = (
  order: Order,
  lastId: number,
  scope: SQL,
  place = sql`(${order.by}, ${order.id})`,
): SQL | undefined =>
  lastId === 0
    ? undefined
    : sql`${place} ${sql.raw(order.descending ? '<' : '>')} (select ${order.by}, ${order.id} from ${order.id.table} where ${order.id} = ${lastId} and ${scope})`;

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
    : containsPlainly(searched, keyword);
};

/** The same without a trigram index, for rows that are read one after the other. */
export const containsPlainly = (searched: Column, keyword: string): SQL =>
  sql`${searched} like lower(${patternOf(keyword)})`;
