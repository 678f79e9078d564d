import { ApiError, getActivityLine, getLogRetention, type LineDetails, listActivity } from '@opensocial/contract';
import type { Bind } from '../../http/bind.ts';
import type { Parts } from '../../parts.ts';
import { matchOf, scopeOf } from './activity.filters.ts';
import { findLine, presentLine, presentLines, readLines, readLinesBySite } from './activity.queries.ts';

const sessionState = (id: number | null, openIndex: string | null): LineDetails['session'] => {
  if (openIndex !== null) return 'open';
  return id === null ? 'none' : 'ended';
};

export const activityRoutes = (bind: Bind, { db, config, countries }: Parts): void => {
  bind(listActivity, async ({ params, query, ...viewer }) => {
    const asked = {
      ...scopeOf(viewer),
      ...matchOf(params, query),
      lastId: params.lastid,
      size: config.pageSize,
      counting: query.count,
    };
    const bySite = query.sort && readLinesBySite(db, { ...asked, descending: query.sort === '-site' });
    return presentLines(await (bySite ?? readLines(db, asked)));
  });

  bind(getActivityLine, async ({ params, session, ...viewer }) => {
    const found = await findLine(db, scopeOf(viewer), params.id);
    if (!found) throw new ApiError('not_found');
    const { session_id, session_index, ...line } = found;
    return {
      ...presentLine(line),
      fullname: line.fullname ?? '',
      site_name: line.site_name ?? '',
      mfa: line.mfa ?? '',
      country: countries.of(line.ip_address),
      session: sessionState(session_id, session_index),
      is_this_browser: session_index === session.sessionIndex,
    };
  });

  bind(getLogRetention, async () => ({ days: config.logRetentionDays }));
};
