import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

type RowFocusParts = {
  body: RefObject<HTMLElement | null>;
  count: number;
  scrollTo: (index: number) => void;
  onTick: ((index: number) => void) | undefined;
  onOpen: ((index: number) => void) | undefined;
};

/** The number of rows that Page Up and Page Down skip. */
const leap = 10;

/** The row with the keyboard focus. Arrow keys move it, space ticks the row, Enter opens it. */
export const useRowFocus = ({ body, count, scrollTo, onTick, onOpen }: RowFocusParts) => {
  const [place, setPlace] = useState(0);
  const wanted = useRef<number>(undefined);
  const active = Math.min(place, Math.max(count - 1, 0));

  const focusDrawn = () =>
    body.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus({ preventScroll: true });

  useEffect(() => {
    // A render that began before the key press may finish after it. It is not the awaited render.
    if (wanted.current !== active) return;
    wanted.current = undefined;
    focusDrawn();
  });

  const focusRow = (index: number) => {
    const next = Math.min(Math.max(index, 0), count - 1);
    scrollTo(next);
    // If the index is unchanged, nothing renders again. Waiting for a render would steal the focus later.
    if (next === active) return focusDrawn();
    wanted.current = next;
    return setPlace(next);
  };

  const steps: Record<string, number> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + leap,
    PageUp: active - leap,
    Home: 0,
    End: count - 1,
  };
  const rowKeys: Record<string, ((index: number) => void) | undefined> = { ' ': onTick, Enter: onOpen };

  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const onRow = (event.target as Element).tagName === 'TR';
    const step = steps[event.key];
    const act = onRow ? rowKeys[event.key] : undefined;
    if (step === undefined && !act) return;
    event.preventDefault();
    if (step === undefined) act?.(active);
    else focusRow(step);
  };

  /** When the focus arrives in another way, for example by mouse, the keyboard continues from there. */
  const handleFocus = ({ target }: { target: EventTarget }) => {
    const index = (target as Element).closest<HTMLElement>('tr[data-index]')?.dataset['index'];
    if (index !== undefined) setPlace(Number(index));
  };

  /** New rows were added above: the focus stays on its row. */
  const shiftBy = (rows: number) => {
    if (body.current?.contains(document.activeElement)) setPlace((index) => index + rows);
  };

  return { active, focusRow, shiftBy, handleKeyDown, handleFocus };
};
