import { type Counting, maximumCountedAtOnce } from '@opensocial/contract';
import { infiniteQueryOptions, keepPreviousData, type QueryKey, type QueryMeta } from '@tanstack/react-query';

/** A row of a list. Its id is the paging cursor. */
export type Listed = { id: number };

/** `isMinimum`: there are more rows than the total. */
export type Total = { total: number; isMinimum: boolean };

/** `ended`: the server returned no more rows, even if the total is higher. */
export type Page<Row> = Total & { rows: readonly Row[]; ended: boolean };

type PagedQueryParts<Row> = {
  queryKey: QueryKey;
  /** Lists that do not count quickly ignore `count`. */
  page: (lastId: number, signal: AbortSignal, count: Counting) => Promise<Total & { rows: readonly Row[] }>;
  meta?: QueryMeta;
};

/** A list that is loaded page by page. The cursor is the id of the last loaded row (§4). */
export const pagedQuery = <Row extends Listed>({ queryKey, page, meta }: PagedQueryParts<Row>) => ({
  ...infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }): Promise<Page<Row>> => {
      const { rows, total, isMinimum } = await page(pageParam, signal, 'quick');
      return { rows, total, isMinimum, ended: rows.length === 0 };
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pages) => nextCursor(pages),
    // The previous rows stay visible until the rows of a new search have arrived.
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    ...(meta && { meta }),
  }),
  /** Reads the complete total, if the pages only have a quick one. */
  countAll: async (signal: AbortSignal): Promise<Total> => {
    const { total, isMinimum } = await page(0, signal, 'only');
    return { total, isMinimum };
  },
});

export type PagedQuery<Row extends Listed> = ReturnType<typeof pagedQuery<Row>>;

/** Whether the server only counted as far as was possible at once. */
export const isQuick = ({ total, isMinimum }: Total): boolean => isMinimum && total <= maximumCountedAtOnce;

/** The total of the list: the latest complete one. Without one, the quick total of the last page. */
export const totalOf = (pages: readonly Page<unknown>[]): Total => {
  const { total = 0, isMinimum = false } = pages.findLast((page) => !isQuick(page)) ?? pages.at(-1) ?? {};
  return { total, isMinimum };
};

/** Stores the complete total. For `setQueriesData`. */
export const withTotal =
  <Row extends Listed>(total: Total) =>
  (cached: Pages<Row> | undefined): Pages<Row> | undefined =>
    cached && { ...cached, pages: cached.pages.map((page) => ({ ...page, ...total })) };

/**
 * The cursor of the next page, until the total is reached or a page is empty. Rows that were deleted locally do not end the list.
 */
const nextCursor = (pages: readonly Page<Listed>[]): number | undefined => {
  const last = pages.at(-1);
  const loaded = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  const { total, isMinimum } = totalOf(pages);
  if (!last || last.ended || (loaded >= total && !isMinimum)) return undefined;
  return pages.findLast(({ rows }) => rows.length > 0)?.rows.at(-1)?.id ?? 0;
};

export type Pages<Row> = { pages: readonly Page<Row>[]; pageParams: unknown[] };

/** The total after rows were added or removed. A minimum stays one. */
export const shifted = ({ total, isMinimum }: Total, by: number): number => (isMinimum ? total : total + by);

/** §4: removes deleted rows from the cached list at once. For `setQueriesData`. */
export const withoutRows =
  <Row extends Listed>(ids: ReadonlySet<number>) =>
  (cached: Pages<Row> | undefined): Pages<Row> | undefined => {
    if (!cached) return cached;
    const pages = cached.pages.map((page) => ({ ...page, rows: page.rows.filter(({ id }) => !ids.has(id)) }));
    const count = (list: readonly Page<Row>[]) => list.reduce((sum, { rows }) => sum + rows.length, 0);
    const removed = count(cached.pages) - count(pages);
    return { ...cached, pages: pages.map((page) => ({ ...page, total: shifted(page, -removed) })) };
  };

/** Adds new rows at the top, without duplicates. For `setQueryData`. */
export const withRowsFirst =
  <Row extends Listed>(rows: readonly Row[]) =>
  (cached: Pages<Row> | undefined): Pages<Row> | undefined => {
    const added = cached ? newRows(cached, rows) : [];
    if (!cached || added.length === 0) return cached;
    const pages = cached.pages.map((page, place) => ({
      ...page,
      rows: place === 0 ? [...added, ...page.rows] : page.rows,
      total: shifted(page, added.length),
    }));
    return { ...cached, pages };
  };

/** The rows that the cached list does not contain yet. */
export const newRows = <Row extends Listed>(cached: Pages<Row>, rows: readonly Row[]): Row[] => {
  const ids = new Set(cached.pages.flatMap((page) => page.rows.map(({ id }) => id)));
  return rows.filter(({ id }) => !ids.has(id));
};

/** Changes a row of the cached list without a refetch. For `setQueriesData`. */
export const withChangedRow =
  <Row extends Listed>(id: number, changes: Partial<Row> | ((row: Row) => Partial<Row>)) =>
  (cached: Pages<Row> | undefined): Pages<Row> | undefined => {
    const change = (row: Row): Row => ({ ...row, ...(typeof changes === 'function' ? changes(row) : changes) });
    return (
      cached && {
        ...cached,
        pages: cached.pages.map((page) => ({
          ...page,
          rows: page.rows.map((row) => (row.id === id ? change(row) : row)),
        })),
      }
    );
  };
