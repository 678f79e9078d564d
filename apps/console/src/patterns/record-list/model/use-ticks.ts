import { useCallback, useMemo, useState } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';

const none: ReadonlySet<number> = new Set();
const noRows: readonly never[] = [];

/** Which rows are ticked. Another search or filter, told by `scope`, starts afresh. */
export const useTicks = <Row extends Listed>(rows: readonly Row[], scope: string) => {
  const [held, setHeld] = useState({ scope, ids: none });
  const ids = held.scope === scope ? held.ids : none;
  const ticked = useMemo(() => (ids.size === 0 ? noRows : rows.filter(({ id }) => ids.has(id))), [ids, rows]);

  // The same whatever rows there are, so that those that are drawn need not be drawn again when more come.
  const toggle = useCallback(
    ({ id }: Row) =>
      setHeld((now) => {
        const next = new Set(now.scope === scope ? now.ids : none);
        if (!next.delete(id)) next.add(id);
        return { scope, ids: next };
      }),
    [scope],
  );

  return {
    ids,
    ticked,
    all: ticked.length > 0 && ticked.length === rows.length,
    toggle,
    toggleAll: () => setHeld({ scope, ids: ticked.length === rows.length ? none : new Set(rows.map(({ id }) => id)) }),
  };
};

export type Ticks<Row extends Listed> = ReturnType<typeof useTicks<Row>>;
