import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { rowHeight } from './use-virtual-rows.ts';

/** Rows that come before those in sight leave them where they are; at the very top, they come into sight. */
export const useSteadyRows = (
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
    // oxlint-disable-next-line react/exhaustive-deps -- only other rows matter
  }, [rows]);
};
