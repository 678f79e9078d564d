import { useRef } from 'react';

/**
 * Assigns a slot number to each rendered row, its React key. A row keeps its slot while it is rendered. If all rows
 * change, as in every frame while the scroll bar is dragged, the new rows reuse the slots of the old rows, which
 * costs a third of new DOM nodes. Moving the focused row in the DOM would lose the focus, so rows before it only use
 * slots before it, and rows after it only slots after it.
 */
export const useSlots = () => {
  const former = useRef<ReadonlyMap<number, number>>(new Map());
  const last = useRef(0);
  return (ids: readonly number[], focused: number | undefined): number[] => {
    const slots = [...former.current];
    const isElsewhere = ids.every((id) => id === focused || !former.current.has(id));
    const middle = slots.findIndex(([id]) => id === focused);
    const before = isElsewhere ? slots.slice(0, Math.max(middle, 0)) : [];
    const behind = isElsewhere ? slots.slice(middle + 1) : [];
    const place = ids.findIndex((id) => id === focused);
    const given = ids.map((id, position) => {
      const own = former.current.get(id);
      if (own !== undefined) return own;
      const [, left] = (position < place ? before : behind).shift() ?? [];
      return left ?? (last.current += 1);
    });
    former.current = new Map(ids.map((id, position) => [id, given[position] ?? 0]));
    return given;
  };
};
