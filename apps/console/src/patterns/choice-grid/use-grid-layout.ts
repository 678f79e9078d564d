import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

export type Cell = {
  /** The minimum width of a cell. The rest of the row is distributed. */
  width: number;
  /** Without a fixed height, a cell is square plus this height. */
  height?: number;
  extra?: number;
  gap: number;
  /** The minimum number of columns on a phone, where cells may be narrower. 1 for a list. */
  minColumns?: number;
  /** The number of rows rendered outside the visible area (overscan). */
  overscan?: number;
};

type GridParts = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  count: number;
  cell: Cell;
  /** The item with the focus is always rendered, otherwise scrolling would lose the focus. */
  focused: number;
};

/** Computes the number of columns, and virtualises the rows. */
export const useGridLayout = ({ scroller, list, count, cell, focused }: GridParts) => {
  const width = useWidth(list);
  const columns = Math.max(cell.minColumns ?? 3, Math.floor((width + cell.gap) / (cell.width + cell.gap)));
  const own = (width - (columns - 1) * cell.gap) / columns;
  const rowHeight = cell.height ?? own + (cell.extra ?? 0);
  const rowCount = width === 0 ? 0 : Math.ceil(count / columns);

  // oxlint-disable-next-line react/incompatible-library -- the virtualizer is used only here and is not passed on
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    gap: cell.gap,
    overscan: cell.overscan ?? 4,
    scrollPaddingEnd: cell.gap,
    rangeExtractor: (range) => {
      const focusedRow = Math.min(Math.floor(focused / columns), range.count - 1);
      return [...new Set([...defaultRangeExtractor(range), focusedRow])].toSorted((one, other) => one - other);
    },
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  return {
    isMeasured: width > 0,
    columns,
    rowHeight,
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems().map(({ index, start }) => ({ start, first: index * columns })),
    scrollTo: (item: number) => virtualizer.scrollToIndex(Math.floor(item / columns)),
  };
};

const useWidth = (element: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measured = element.current;
    if (!measured) return undefined;
    // A hidden tab has no size, so the layout stays as it was.
    const measure = () => setWidth((previous) => measured.offsetWidth || previous);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
};
