import { useEffect, useRef } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';

/** Returns the focus to a row when its panel is closed. */
export const useReturnedFocus = (
  rows: readonly Listed[],
  current: number | undefined,
  focusRow: (index: number) => void,
): void => {
  const opened = useRef(current);
  useEffect(() => {
    const closed = current === undefined ? opened.current : undefined;
    opened.current = current;
    const index = closed === undefined ? -1 : rows.findIndex(({ id }) => id === closed);
    if (index >= 0) focusRow(index);
    // oxlint-disable-next-line react/exhaustive-deps -- the effect reacts only to closing
  }, [current]);
};
