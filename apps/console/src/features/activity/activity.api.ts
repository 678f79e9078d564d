import { getActivityLine, LoginStatus, type LogLine, listActivity, listUserLog } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
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
        time: filters['time'],
        site: siteId === undefined ? filters['site'] : String(siteId),
        keyword: search || undefined,
      };
      const { logs, all_logs } = await call(listActivity, { params }, signal);
      return { rows: logs, total: all_logs };
    },
  });

export const lineQuery = ({ id, name }: NetworkRef, lineId: number) =>
  queryOptions({
    queryKey: ['activity', 'line', id, lineId],
    queryFn: ({ signal }) => call(getActivityLine, { params: { server: name, id: lineId } }, signal),
    // The session of a line may have ended meanwhile.
    staleTime: 0,
  });

/** The lines of one user of a network. */
export const userActivityQuery = (
  network: NetworkRef,
  email: string,
  { search, filters }: Pick<ListView, 'search' | 'filters'>,
) =>
  pagedQuery<LogLine>({
    queryKey: ['activity', 'of-user', network.id, email, search, filters],
    page: async (lastid, signal) => {
      const params = {
        email,
        lastid,
        server: network.name,
        filter: LoginStatus.safeParse(filters['status']).data,
        time: filters['time'],
        keyword: search || undefined,
      };
      const { logs, all_logs } = await call(listUserLog, { params }, signal);
      return { rows: logs, total: all_logs };
    },
  });
