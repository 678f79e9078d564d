import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { rowHeight } from './use-virtual-rows.ts';

/** Keeps the visible rows in place when new rows are added above them. At the very top, the new rows become visible. */
export const useScrollAnchor = (
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Listed[],
  onAdded: (count: number) => void,
): void => {
  const first = useRef(rows[0]?.id);
  useLayoutEffect(() => {
    const before = first.current;
    first.current = rows[0]?.id;
    if (before === undefined || before === first.current) return;
    const added = rows.findIndex(({ id }) => id === before);
    if (added <= 0) return;
    onAdded(added);
    if (scroller.current && scroller.current.scrollTop > 0) scroller.current.scrollTop += added * rowHeight;
    // oxlint-disable-next-line react/exhaustive-deps -- the effect reacts only to other rows
  }, [rows]);
};
