import { ApiError } from '@opensocial/contract';
import { hashKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isQuick, type Listed, type PagedQuery, totalOf, withTotal } from '../../../api/transport/paged-query.ts';
import { showError } from '../../toast/show-error.tsx';

const hasCode = (error: unknown, code: ApiError['code']): boolean => error instanceof ApiError && error.code === code;

const isForeign = (error: unknown): boolean => hasCode(error, 'forbidden') || hasCode(error, 'not_found');

/** The loaded rows, and a function that loads more. */
export const useListRows = <Row extends Listed>(query: PagedQuery<Row>) => {
  const client = useQueryClient();
  const list = useInfiniteQuery(query);
  const { error, data } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);

  useEffect(() => {
    if (!error || hasCode(error, 'auth_required')) return;
    // The cursor row was deleted, so the list is loaded again from the start.
    if (hasCode(error, 'cursor_gone') && data) void client.resetQueries({ queryKey: query.queryKey, exact: true });
    else if (!isForeign(error)) showError(error);
    // oxlint-disable-next-line react/exhaustive-deps -- an error is shown once
  }, [error]);

  const total = totalOf(data?.pages ?? []);
  // The rows arrive with a quick total, which is replaced by the complete one.
  const lacksTotal = isQuick(total) && !list.isPlaceholderData;
  useEffect(() => {
    if (!lacksTotal) return undefined;
    const left = new AbortController();
    const count = async () => {
      const all = withTotal<Row>(await query.countAll(left.signal));
      client.setQueriesData({ queryKey: query.queryKey, exact: true }, all);
    };
    // Without it, the quick total stays, which is true as well.
    count().catch(() => undefined);
    return () => left.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the query is a new object each time, but its key is the same
  }, [lacksTotal, hashKey(query.queryKey)]);

  const canLoadMore = list.hasNextPage && !list.isFetching && !list.isPlaceholderData && !list.isFetchNextPageError;
  return {
    rows,
    isMinimum: total.isMinimum,
    total: total.isMinimum ? Math.max(total.total, rows.length) : total.total,
    isPending: list.isPending,
    isError: list.isLoadingError,
    /** Whether the user has lost the permission to see the list. */
    isForbidden: isForeign(error),
    /** Whether the rows belong to the previous search, while the new rows are loading. */
    isStale: list.isPlaceholderData,
    isLoadingMore: list.isFetchingNextPage,
    isRetrying: list.isFetching,
    moreFailed: list.isFetchNextPageError && !hasCode(error, 'cursor_gone'),
    hasMore: list.hasNextPage,
    loadMore: () => {
      // The scroll handler and the effect may both ask for the next page; it is loaded once.
      if (canLoadMore) void list.fetchNextPage({ cancelRefetch: false });
    },
    retry: () => void (data ? list.fetchNextPage() : list.refetch()),
  };
};

export type ListRows<Row extends Listed> = ReturnType<typeof useListRows<Row>>;
