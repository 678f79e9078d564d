import type { Database } from '../../database/connect.ts';
import {
  claimDueSites,
  deleteFormerStates,
  type PollKind,
  type PollLimits,
  releaseSites,
} from './sites.polling.queries.ts';

/** Sites of one network with the same address. */
export type PollGroup = { networkId: number; url: string; siteIds: number[] };

export type Round = {
  kind: PollKind;
  limits: PollLimits;
  /** The number of requests at the same time. */
  concurrency: number;
  /** After this moment no further request begins. */
  end: number;
  signal?: AbortSignal | undefined;
};

export const isOver = ({ end, signal }: Pick<Round, 'end' | 'signal'>): boolean =>
  signal?.aborted === true || performance.now() >= end;

/** Requests the addresses of the sites that are due. Sites whose turn does not come in time are due again. */
export const pollDueSites = async (
  db: Database,
  round: Round,
  request: (group: PollGroup) => Promise<void>,
): Promise<void> => {
  await deleteFormerStates(db, round.kind);
  const claimed = await claimDueSites(db, round.kind, round.limits);
  const groups = [...Map.groupBy(claimed, ({ networkId, url }) => `${networkId} ${url}`).values()].map((sites) => ({
    networkId: sites[0]?.networkId ?? 0,
    url: sites[0]?.url ?? '',
    siteIds: sites.map(({ siteId }) => siteId),
  }));
  const waiting = inTurns(groups).values();
  const requestNext = async () => {
    for (const group of waiting) {
      if (isOver(round)) await releaseSites(db, round.kind, group.siteIds);
      else await request(group);
    }
  };
  await Promise.all(Array.from({ length: round.concurrency }, requestNext));
};

/** First one address of each network, then the second one of each, and so on: a network with slow addresses does not delay the others. */
const inTurns = (groups: readonly PollGroup[]): PollGroup[] => {
  const turns = new Map<number, number>();
  return groups
    .map((group) => {
      const turn = turns.get(group.networkId) ?? 0;
      turns.set(group.networkId, turn + 1);
      return { group, turn };
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ group }) => group);
};
