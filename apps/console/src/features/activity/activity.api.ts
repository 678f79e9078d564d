import {
  getActivityLine,
  getLogRetention,
  LoginStatus,
  type LogLine,
  listActivity,
  listUserLog,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { type ListView, sortText } from '../../patterns/record-list/model/list-description.ts';

type LinesView = Pick<ListView, 'search' | 'filters'> & {
  sort?: ListView['sort'];
  /** Limits the lines to one site. */
  siteId?: number;
};

/** The filter parameters, shared by the list and its CSV export. */
export const lineFilters = ({ search, filters, siteId }: LinesView) => ({
  filter: LoginStatus.safeParse(filters['status']).data,
  time: filters['time'],
  site: siteId === undefined ? filters['site'] : String(siteId),
  keyword: search || undefined,
});

export const activityQuery = ({ id, name }: NetworkRef, asked: LinesView) =>
  pagedQuery<LogLine>({
    queryKey: ['activity', id, asked.siteId, asked.search, asked.filters, asked.sort],
    page: async (lastid, signal) => {
      const params = { server: name, lastid, ...lineFilters(asked) };
      const query = { sort: sortText(asked.sort, 'site') };
      const { logs, all_logs } = await call(listActivity, { params, query }, signal);
      return { rows: logs, total: all_logs };
    },
  });

export const lineQuery = ({ id, name }: NetworkRef, lineId: number) =>
  queryOptions({
    queryKey: ['activity', 'line', id, lineId],
    queryFn: ({ signal }) => call(getActivityLine, { params: { server: name, id: lineId } }, signal),
    // The session of the line may have ended in the meantime.
    staleTime: 0,
  });

export const retentionQuery = ({ name }: NetworkRef) =>
  queryOptions({
    queryKey: ['activity', 'retention', name],
    queryFn: ({ signal }) => call(getLogRetention, { params: { server: name } }, signal),
    // A setting of the server, which changes only with a restart.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The log lines of a user in a network. */
export const userActivityQuery = (
  network: NetworkRef,
  email: string,
  { search, filters }: Pick<ListView, 'search' | 'filters'>,
) =>
  pagedQuery<LogLine>({
    queryKey: ['activity', 'of-user', network.id, email, search, filters],
    page: async (lastid, signal) => {
      const { site: _site, ...asked } = lineFilters({ search, filters });
      const params = { email, lastid, server: network.name, ...asked };
      const { logs, all_logs } = await call(listUserLog, { params }, signal);
      return { rows: logs, total: all_logs };
    },
  });
