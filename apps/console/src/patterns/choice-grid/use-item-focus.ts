import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

type ItemFocusParts = { list: RefObject<HTMLElement | null>; count: number; start: number };

/** The item with the keyboard focus. Arrow keys move it along and between the rows. */
export const useItemFocus = ({ list, count, start }: ItemFocusParts) => {
  const [place, setPlace] = useState<number>();
  const wanted = useRef(false);
  const active = Math.min(place ?? Math.max(start, 0), Math.max(count - 1, 0));

  const focusActive = () =>
    list.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus({ preventScroll: true });
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    focusActive();
  });

  const focusItem = (index: number, scrollTo: (item: number) => void) => {
    const next = Math.min(Math.max(index, 0), count - 1);
    scrollTo(next);
    // If the index is unchanged, nothing renders again. Waiting for a render would steal the focus later.
    if (next === active) return focusActive();
    wanted.current = true;
    return setPlace(next);
  };

  const handleKeyDown = (event: KeyboardEvent, columns: number, scrollTo: (item: number) => void) => {
    const step = steps(active, columns, count)[event.key];
    if (step === undefined) return;
    event.preventDefault();
    if (step < 0 || step >= count) return;
    wanted.current = true;
    setPlace(step);
    scrollTo(step);
  };
  return { active, setActive: setPlace, focusItem, handleKeyDown };
};

/** The number of rows that Page Up and Page Down skip. */
const leap = 4;

const steps = (active: number, columns: number, count: number): Record<string, number> => ({
  ArrowRight: active + 1,
  ArrowLeft: active - 1,
  ArrowDown: active + columns,
  ArrowUp: active - columns,
  PageDown: Math.min(active + leap * columns, count - 1),
  PageUp: Math.max(active - leap * columns, 0),
  Home: 0,
  End: count - 1,
});
