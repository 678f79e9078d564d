import { ApiError, getActivityLine, type LineDetails, listActivity, type Role } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { findLine, presentLine, presentLines, readLines } from './activity.queries.ts';

type Viewer = { network: { id: number; role: Role }; user: { id: number } };

/** Owners see the network's lines, others their own. */
const scopeOf = ({ network, user }: Viewer) => ({
  networkId: network.id,
  userId: network.role === 'admin' ? undefined : user.id,
});

const sessionState = (id: number | null, openIndex: string | null): LineDetails['session'] => {
  if (openIndex !== null) return 'open';
  return id === null ? 'none' : 'ended';
};

export const activityRoutes = (bind: Bind, { db, config, countries }: Parts): void => {
  bind(listActivity, async ({ params, ...viewer }) => {
    const lines = await readLines(db, {
      ...scopeOf(viewer),
      status: params.filter,
      site: params.site,
      range: params.time,
      keyword: params.keyword,
      lastId: params.lastid,
      size: config.pageSize,
    });
    return presentLines(lines);
  });

  bind(getActivityLine, async ({ params, session, ...viewer }) => {
    const found = await findLine(db, scopeOf(viewer), params.id);
    if (!found) throw new ApiError('not_found');
    const { session_id, session_index, ...line } = found;
    return {
      ...presentLine(line),
      fullname: line.fullname ?? '',
      mfa: line.mfa ?? '',
      country: countries.of(line.ip_address),
      session: sessionState(session_id, session_index),
      is_this_browser: session_index === session.sessionIndex,
    };
  });
};
