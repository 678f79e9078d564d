import { useRef } from 'react';

/**
 * Assigns a slot number to each rendered row, its React key. A row keeps its slot while it is rendered. If all rows
 * change, as in every frame while the scroll bar is dragged, the new rows reuse the slots of the old rows, which
 * costs a third of new DOM nodes. Moving the focused row in the DOM would lose the focus, so rows before it only use
 * slots before it, and rows after it only slots after it.
 */
export const useSlots = () => {
  const previous = useRef<ReadonlyMap<number, number>>(new Map());
  const highestSlot = useRef(0);
  return (ids: readonly number[], focused: number | undefined): number[] => {
    const previousSlots = [...previous.current];
    const areAllNew = ids.every((id) => id === focused || !previous.current.has(id));
    const previousFocus = previousSlots.findIndex(([id]) => id === focused);
    const freeBefore = areAllNew ? previousSlots.slice(0, Math.max(previousFocus, 0)) : [];
    const freeAfter = areAllNew ? previousSlots.slice(previousFocus + 1) : [];
    const focusIndex = ids.findIndex((id) => id === focused);
    const slots = ids.map((id, index) => {
      const slot = previous.current.get(id);
      if (slot !== undefined) return slot;
      const [, freeSlot] = (index < focusIndex ? freeBefore : freeAfter).shift() ?? [];
      return freeSlot ?? (highestSlot.current += 1);
    });
    previous.current = new Map(ids.map((id, index) => [id, slots[index] ?? 0]));
    return slots;
  };
};
