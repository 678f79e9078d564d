import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { type Listed, pagedQuery } from './paged-query.ts';
import { queryClient } from './query-client.ts';

/**
 * A list that the server returns as a whole and the console searches. Without a search text, and after clearing it, the list is
 * loaded again.
 */
export const wholeListQuery = <Row extends Listed, Key extends QueryKey>(
  whole: FetchQueryOptions<Row[], Error, Row[], Key> & { queryKey: Key },
  search: string,
  textOf: (row: Row) => string,
) =>
  pagedQuery<Row>({
    queryKey: [...whole.queryKey, 'searched', search],
    page: async (lastId) => {
      if (lastId !== 0) return { rows: [], total: 0, isMinimum: false };
      const all = await queryClient.fetchQuery({ ...whole, staleTime: search === '' ? 0 : 30_000 });
      const rows = all.filter((row) => textOf(row).toLowerCase().includes(search.toLowerCase()));
      return { rows, total: rows.length, isMinimum: false };
    },
  });
