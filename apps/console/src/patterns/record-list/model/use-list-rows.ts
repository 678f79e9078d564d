import { ApiError } from '@opensocial/contract';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { Listed, PagedQuery } from '../../../api/transport/paged-query.ts';
import { showError } from '../../toast/show-error.tsx';

const hasCode = (error: unknown, code: ApiError['code']): boolean => error instanceof ApiError && error.code === code;

const isForeign = (error: unknown): boolean => hasCode(error, 'forbidden') || hasCode(error, 'not_found');

/** The rows loaded so far, and the way to more. */
export const useListRows = <Row extends Listed>(query: PagedQuery<Row>) => {
  const client = useQueryClient();
  const list = useInfiniteQuery(query);
  const { error, data } = list;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);

  useEffect(() => {
    if (!error || hasCode(error, 'auth_required')) return;
    // The row that the next page would follow is gone: from the start again.
    if (hasCode(error, 'cursor_gone') && data) void client.resetQueries({ queryKey: query.queryKey, exact: true });
    else if (!isForeign(error)) showError(error);
    // oxlint-disable-next-line react/exhaustive-deps -- an error is told once, whatever changes around it
  }, [error]);

  const canLoadMore = list.hasNextPage && !list.isFetching && !list.isPlaceholderData && !list.isFetchNextPageError;
  return {
    rows,
    total: data?.pages.at(-1)?.total ?? 0,
    isPending: list.isPending,
    isError: list.isLoadingError,
    /** The list was the user's to see when they came, and is not any more. */
    isForbidden: isForeign(error),
    /** The rows of the search before, until those of this one are there. */
    isStale: list.isPlaceholderData,
    isLoadingMore: list.isFetchingNextPage,
    isRetrying: list.isFetching,
    moreFailed: list.isFetchNextPageError && !hasCode(error, 'cursor_gone'),
    hasMore: list.hasNextPage,
    loadMore: () => {
      // Asked twice at once, by the scroll and by what it drew, is asked once.
      if (canLoadMore) void list.fetchNextPage({ cancelRefetch: false });
    },
    retry: () => void (data ? list.fetchNextPage() : list.refetch()),
  };
};

export type ListRows<Row extends Listed> = ReturnType<typeof useListRows<Row>>;
