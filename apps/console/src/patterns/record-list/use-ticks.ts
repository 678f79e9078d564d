import { useMemo, useState } from 'react';
import type { Listed } from '../../api/paged-query.ts';

const none: ReadonlySet<number> = new Set();
const noRows: readonly never[] = [];

/** Which rows are ticked. Another search or filter, told by `scope`, starts afresh. */
export const useTicks = <Row extends Listed>(rows: readonly Row[], scope: string) => {
  const [held, setHeld] = useState({ scope, ids: none });
  const ids = held.scope === scope ? held.ids : none;
  const ticked = useMemo(() => (ids.size === 0 ? noRows : rows.filter(({ id }) => ids.has(id))), [ids, rows]);
  const set = (next: ReadonlySet<number>) => setHeld({ scope, ids: next });

  return {
    ids,
    ticked,
    all: ticked.length > 0 && ticked.length === rows.length,
    toggle: ({ id }: Row) => {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      set(next);
    },
    toggleAll: () => set(ticked.length === rows.length ? none : new Set(rows.map(({ id }) => id))),
  };
};

export type Ticks<Row extends Listed> = ReturnType<typeof useTicks<Row>>;
