import type { Listed } from './paged-query.ts';

/** The maximum number of rows that a payload includes. Longer lists are changed by their own calls. */
const maxRows = 1_000;

type ReadPage<Row> = (lastId: number) => Promise<{ rows: readonly Row[]; total: number }>;

/**
 * Reads all rows of a list for a payload that must include them; the server compares them and changes none. Returns
 * undefined if there are too many rows or a page could not be read, because an incomplete list must not look
 * complete.
 */
export const readAllRows = async <Row extends Listed>(readPage: ReadPage<Row>): Promise<Row[] | undefined> => {
  const loaded: Row[] = [];
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a page begins where the last one ended
      const { rows, total } = await readPage(loaded.at(-1)?.id ?? 0);
      if (total > maxRows) return undefined;
      loaded.push(...rows);
      if (rows.length === 0 || loaded.length >= total) return loaded;
    }
  } catch {
    return undefined;
  }
};
