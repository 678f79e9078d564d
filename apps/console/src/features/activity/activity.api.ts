import { LoginStatus, type LogLine, listActivity } from '@opensocial/contract';
import { call } from '../../api/caller.ts';
import { pagedQuery } from '../../api/paged-query.ts';
import type { NetworkRef } from '../../api/session.ts';
import type { ListView } from '../../patterns/record-list/list-description.ts';

type LinesAsked = Pick<ListView, 'search' | 'filters'> & {
  /** One site's lines. */
  siteId?: number;
};

export const activityQuery = ({ id, name }: NetworkRef, { search, filters, siteId }: LinesAsked) =>
  pagedQuery<LogLine>({
    queryKey: ['activity', id, siteId, search, filters],
    page: async (lastid, signal) => {
      const params = {
        server: name,
        lastid,
        filter: LoginStatus.safeParse(filters['status']).data,
        site: siteId === undefined ? undefined : String(siteId),
        keyword: search || undefined,
      };
      const { logs, all_logs } = await call(listActivity, { params }, signal);
      return { rows: logs, total: all_logs };
    },
  });
