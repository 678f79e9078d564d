import type { LoginStatus, Role } from '@opensocial/contract';
import { periodOf } from '../../database/days.ts';
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

/** `zone`: the time zone in which the days of a filter begin and end. */
type InQuery = { zone?: string | undefined; reason?: string | undefined };

export const matchOf = ({ filter, site, time, keyword }: Filters, { zone, reason }: InQuery): Match => ({
  status: filter,
  site,
  period: periodOf(time, zone),
  keyword,
  reason,
});
