import { useCallback, useMemo, useState } from 'react';
import type { Listed } from '../../../api/transport/paged-query.ts';

const none: ReadonlySet<number> = new Set();
const noRows: readonly never[] = [];

/** The ticked rows. A new search or filter (`scope`) clears them. */
export const useTicks = <Row extends Listed>(rows: readonly Row[], scope: string) => {
  const [ticks, setTicks] = useState({ scope, ids: none });
  const ids = ticks.scope === scope ? ticks.ids : none;
  const ticked = useMemo(() => (ids.size === 0 ? noRows : rows.filter(({ id }) => ids.has(id))), [ids, rows]);

  // A stable function, so that visible rows do not render again when more rows arrive.
  const toggle = useCallback(
    ({ id }: Row) =>
      setTicks((now) => {
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
    toggleAll: () => setTicks({ scope, ids: ticked.length === rows.length ? none : new Set(rows.map(({ id }) => id)) }),
  };
};

export type Ticks<Row extends Listed> = ReturnType<typeof useTicks<Row>>;
