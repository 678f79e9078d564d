import type { LoginStatus, Role } from '@opensocial/contract';
import { type Period, periodOf } from '../../database/days.ts';
import type { Actor } from '../../identity/actor.ts';
import type { Match, Scope } from './activity.queries.ts';

type Viewer = { network: { id: number; role: Role }; actor: Actor };

/** Owners see all lines of the network, other members only their own. */
export const scopeOf = ({ network, actor: { user } }: Viewer): Scope => ({
  networkId: network.id,
  userId: network.role === 'admin' ? undefined : user.id,
});

type Filters = {
  filter?: LoginStatus | undefined;
  site?: string | undefined;
  time?: string | undefined;
  keyword?: string | undefined;
};

/** `zone`: the time zone in which the days of a filter begin and end. `since`: only lines since this moment. */
type InQuery = { zone?: string | undefined; reason?: string | undefined; since?: string | undefined };

/** Later than any line. */
const farAway = new Date('9999-01-01T00:00:00Z');

/** The days of a filter, from a moment within them. */
const periodSince = (days: Period | undefined, since: string | undefined): Period | undefined => {
  if (since === undefined) return days;
  const { start, end } = days ?? { start: new Date(since), end: farAway };
  return { start: new Date(Math.max(start.getTime(), Date.parse(since))), end };
};

export const matchOf = ({ filter, site, time, keyword }: Filters, { zone, reason, since }: InQuery): Match => ({
  status: filter,
  site,
  period: periodSince(periodOf(time, zone), since),
  keyword,
  reason,
});
