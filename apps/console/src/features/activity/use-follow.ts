import { followActivity, type LogLine } from '@opensocial/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { newRows, type Pages, withRowsFirst } from '../../api/transport/paged-query.ts';
import type { ListView } from '../../patterns/record-list/model/list-description.ts';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { activityQuery, lineFilters } from './activity.api.ts';
import { useLiveLines } from './use-live-lines.ts';

/** The lines that arrived for a query while the log was paused, and whether some may be missing. */
type Collected = { address: string; lines: readonly LogLine[]; hasGap: boolean };

const addressOf = (network: NetworkRef, view: ListView): string => {
  const { asked, inQuery } = lineFilters(view);
  const filters = Object.entries({ ...asked, ...inQuery }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${followActivity.path.build({ server: network.name })}?${new URLSearchParams(filters)}`;
};

/** The lines that are not in the list and will not come with a later page. */
const newLinesOf = (shown: Pages<LogLine>, lines: readonly LogLine[]): LogLine[] => {
  const oldest = shown.pages.flatMap(({ rows }) => rows).at(-1)?.login_time ?? '';
  return newRows(shown, lines).filter(({ login_time }) => login_time >= oldest);
};

const withoutDuplicates = (lines: readonly LogLine[]): LogLine[] => [
  ...new Map(lines.map((line) => [line.id, line])).values(),
];

/**
 * Live updates of the log. New lines are added at the top of the list, or are collected while it is paused. A sorted
 * list has no place for new lines at the top, so they are collected there too.
 */
export const useFollow = (network: NetworkRef, view: ListView) => {
  const client = useQueryClient();
  const [state, setState] = useState<'off' | 'on' | 'paused'>('off');
  const address = addressOf(network, view);
  const none: Collected = { address, lines: [], hasGap: false };
  const [stored, setStored] = useState(none);
  const collected = stored.address === address ? stored : none;
  const collect = (change: (before: Collected) => Collected) =>
    setStored((before) => change(before.address === address ? before : none));
  const { queryKey } = activityQuery(network, view);

  const show = (lines: readonly LogLine[]) => {
    const newestFirst = lines.toReversed();
    client.setQueryData<Pages<LogLine>>(queryKey, withRowsFirst(newestFirst));
  };
  const reload = () => void client.invalidateQueries({ queryKey, exact: true });
  const isCollecting = state === 'paused' || view.sort !== undefined;

  useLiveLines(state === 'off' ? undefined : address, {
    onLines: (lines) => {
      const shown = client.getQueryData<Pages<LogLine>>(queryKey);
      // The list is still loading and will contain the lines.
      if (!shown) return;
      const fresh = view.sort ? newRows(shown, lines) : newLinesOf(shown, lines);
      if (fresh.length === 0) return;
      if (isCollecting) collect((before) => ({ ...before, lines: withoutDuplicates([...before.lines, ...fresh]) }));
      else show(fresh);
    },
    onGap: () => {
      if (isCollecting) collect((before) => ({ ...before, hasGap: true }));
      else reload();
    },
    onRefused: () => {
      setState('off');
      showFault('Live updates have stopped. Close other windows that follow the log, or try again.');
      // This call finds out whether the session has ended.
      reload();
    },
  });

  const showCollected = () => {
    // In a sorted list only the server knows the positions of the lines.
    if (collected.hasGap || view.sort) reload();
    else show(collected.lines);
    setStored(none);
  };
  return {
    state,
    /** The number of collected lines. */
    count: collected.lines.length,
    showCollected,
    toggle: () => {
      setState(state === 'off' ? 'on' : 'off');
      setStored(none);
      // Loads the lines that arrived since the list was loaded and are older than the start of the stream.
      if (state === 'off') reload();
    },
    pause: () => setState('paused'),
    resume: () => {
      showCollected();
      setState('on');
    },
  };
};
