import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';

export type Cell = {
  /** A cell is at least as wide; what is left of the row is shared. */
  width: number;
  /** Without one, a cell is as high as it is wide, and this much more. */
  height?: number;
  extra?: number;
  gap: number;
  /** On a phone cells are smaller instead; one, for a list. */
  fewest?: number;
  /** Rows that are drawn beyond those in sight. */
  overscan?: number;
};

type GridParts = {
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<HTMLElement | null>;
  count: number;
  cell: Cell;
  /** The item that holds the focus is drawn wherever it stands, else scrolling would lose it. */
  kept: number;
};

/** As many columns as fit, and of the rows those in sight. */
export const useGridLayout = ({ scroller, list, count, cell, kept }: GridParts) => {
  const width = useWidth(list);
  const columns = Math.max(cell.fewest ?? 3, Math.floor((width + cell.gap) / (cell.width + cell.gap)));
  const own = (width - (columns - 1) * cell.gap) / columns;
  const rowHeight = cell.height ?? own + (cell.extra ?? 0);
  const rowCount = width === 0 ? 0 : Math.ceil(count / columns);

  // oxlint-disable-next-line react/incompatible-library -- what it returns is used here only, and kept by nobody
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    gap: cell.gap,
    overscan: cell.overscan ?? 4,
    scrollPaddingEnd: cell.gap,
    rangeExtractor: (range) => {
      const keptRow = Math.min(Math.floor(kept / columns), range.count - 1);
      return [...new Set([...defaultRangeExtractor(range), keptRow])].toSorted((one, other) => one - other);
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
    // In a tab that is not shown there is nothing to measure, and the layout stays as it was.
    const measure = () => setWidth((held) => measured.offsetWidth || held);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
};
