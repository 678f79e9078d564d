import { useEffect } from 'react';
import type { Listed } from '../../api/paged-query.ts';
import type { ListRows } from './use-list-rows.ts';

/** Up to here a sorted list is loaded whole; above it, the rows loaded so far are what is sorted. */
const wholeUpTo = 10_000;

/** Rows are sorted here, page by page they come in the server's order: a sorted list needs them all. */
export const useWholeSort = <Row extends Listed>({ total, loadMore }: ListRows<Row>, sorted: boolean): void => {
  useEffect(() => {
    if (sorted && total <= wholeUpTo) loadMore();
  });
};
