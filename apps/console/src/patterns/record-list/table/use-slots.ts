import { useRef } from 'react';

/**
 * A number for each drawn row, its React key. A row keeps its own as long as it is drawn. Where all are others than before, as in
 * every frame while a bar is dragged, they take the places of those that were there, which costs a third of drawing them
 * anew. The row that holds the focus would lose it by being moved: places before it are taken by rows before it, and those
 * behind it by rows behind it.
 */
export const useSlots = () => {
  const former = useRef<ReadonlyMap<number, number>>(new Map());
  const last = useRef(0);
  return (ids: readonly number[], kept: number | undefined): number[] => {
    const slots = [...former.current];
    const isElsewhere = ids.every((id) => id === kept || !former.current.has(id));
    const middle = slots.findIndex(([id]) => id === kept);
    const before = isElsewhere ? slots.slice(0, Math.max(middle, 0)) : [];
    const behind = isElsewhere ? slots.slice(middle + 1) : [];
    const place = ids.findIndex((id) => id === kept);
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
