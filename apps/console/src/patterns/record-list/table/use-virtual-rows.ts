import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useRef } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';
import { useSlots } from './use-slots.ts';

/** The row heights in pixels, as in record-table.module.css. */
export const rowHeight = 50;
const headerHeight = 40;

/** The number of rows rendered on each side of the visible area. */
const overscan = 6;

/** An estimate of what is above and below the list in the window. */
const barsHeight = 200;

/** Virtualises the rows: the visible rows, the overscan, and the heights of the gaps. */
export const useVirtualRows = <Row extends Listed>(scroller: RefObject<HTMLElement | null>, rows: readonly Row[]) => {
  const previous = useRef({ start: 0, drawn: [] as number[], isFar: false });
  /** While the scroll bar is dragged, every frame shows other rows. The overscan is then rendered when the scrolling stops. */
  const rangeExtractor = (range: Range): number[] => {
    const { startIndex: start, endIndex: end } = range;
    const { start: previousStart, drawn: previouslyRendered, isFar: wasFar } = previous.current;
    // A render for another reason, for example new rows, does not mean that the scrolling has stopped.
    const hasJumped = start === previousStart ? wasFar : Math.abs(start - previousStart) > end - start;
    const isFar = virtualizer.isScrolling && hasJumped;
    const isWanted = (index: number) =>
      !isFar || (index >= start && index <= end) || previouslyRendered.includes(index);
    const drawn = defaultRangeExtractor(range).filter(isWanted);
    previous.current = { start, drawn, isFar };
    return drawn;
  };
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer is used only here and is not passed on
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    // Without an estimate, the rows would be rendered only after the empty list has been laid out and measured.
    initialRect: { width: 0, height: window.innerHeight - barsHeight },
    rangeExtractor,
    scrollPaddingEnd: headerHeight,
  });

  const slotsFor = useSlots();

  /** The row with the focus is always rendered, otherwise scrolling would lose the focus. */
  const drawn = (focused: number): number[] => {
    const inSight = virtualizer.getVirtualItems().map(({ index }) => index);
    if (focused >= rows.length || inSight.includes(focused)) return inSight;
    return [...inSight, focused].toSorted((one, other) => one - other);
  };

  return {
    scrollTo: (index: number) => virtualizer.scrollToIndex(index),
    items: (focused: number) => {
      const places = drawn(focused);
      const shown = places.flatMap((index) => {
        const row = rows[index];
        return row ? [{ row, index }] : [];
      });
      const slots = slotsFor(
        shown.map(({ row }) => row.id),
        rows[focused]?.id,
      );
      return shown.map(({ row, index }, position) => {
        const before = shown[position - 1]?.index ?? -1;
        return { row, index, gap: (index - before - 1) * rowHeight, slot: slots[position] };
      });
    },
    gapAfter: (focused: number) => (rows.length - 1 - (drawn(focused).at(-1) ?? -1)) * rowHeight,
  };
};
