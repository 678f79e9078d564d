import { z } from 'zod';

/** The minimum length of a search keyword. Shorter input shows the whole list. */
export const searchMinimum = 2;

export const Keyword = z.string().trim().min(searchMinimum).max(500);

/** The id of the last row that the client has; 0 requests the first page. */
export const Cursor = z.coerce.number<number | string>().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The sort order of a list: `name`, or `-name` for descending. Without it, the list has its default order. */
export const sortedBy = <const Column extends string>(...columns: readonly Column[]) =>
  z.object({
    sort: z.enum(columns.flatMap((column): (Column | `-${Column}`)[] => [column, `-${column}`])).optional(),
  });

/** The maximum number of rows of an unpaged list. Longer lists are refused instead of truncated. */
export const maximumFlatRows = 10_000;

/** Totals of searches and filters are exact up to this number, because counting millions of rows takes seconds. */
export const maximumCounted = 100_000;

/** A quick total is exact up to this number. */
export const maximumCountedAtOnce = 10_000;

/** `quick` counts less far, so that the rows arrive at once. `only` returns the complete total without rows. Without it, both are complete. */
export const Counted = z.object({ count: z.enum(['quick', 'only']).optional() });
export type Counting = z.infer<typeof Counted>['count'];

/**
 * A page of a list: its rows, and the total for the same search and filters. `total_is_minimum` says that there are more rows than the total;
 * otherwise it is left out.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each keeps its own type in the answer's
export const page = <Rows extends string, Row extends z.ZodType, Total extends string>(
  rows: Rows,
  row: Row,
  total: Total,
) => z.object({ ...sized(rows, row, total), total_is_minimum: z.literal(true).optional() });

const sized = <Rows extends string, Row extends z.ZodType, Total extends string>(rows: Rows, row: Row, total: Total) =>
  ({ [rows]: z.array(row), [total]: z.int().min(0) }) as Record<Rows, z.ZodArray<Row>> & Record<Total, z.ZodInt>;
