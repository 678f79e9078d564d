import { z } from 'zod';

/** A search starts at this many characters; a shorter one is the whole list. */
export const searchMinimum = 2;

export const Keyword = z.string().trim().min(searchMinimum).max(500);

/** The id of the last row already held; 0 asks for the first page. */
export const Cursor = z.coerce.number<number | string>().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The order of a whole list by one of its columns: `name`, or `-name` for last to first. Left out, the list has its own order. */
export const sortedBy = <const Column extends string>(column: Column) =>
  z.object({ sort: z.enum([column, `-${column}`] as [Column, `-${Column}`]).optional() });

/** A list that comes whole has at most this many rows; a longer one is refused instead of cut. */
export const mostFlat = 10_000;

/** A page of a list: its rows, and the exact total for the same search and filters. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each keeps its own type in the answer's
export const page = <Rows extends string, Row extends z.ZodType, Total extends string>(
  rows: Rows,
  row: Row,
  total: Total,
) =>
  z.object({ [rows]: z.array(row), [total]: z.int().min(0) } as Record<Rows, z.ZodArray<Row>> &
    Record<Total, z.ZodInt>);
