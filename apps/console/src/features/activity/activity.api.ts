import {
  getActivityLine,
  getLogRetention,
  LoginStatus,
  type LogLine,
  listActivity,
  listUserLog,
  Moment,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery } from '../../api/transport/paged-query.ts';
import { askForDays } from '../../patterns/date-range/days.ts';
import { type ListView, sortText } from '../../patterns/record-list/model/list-description.ts';

type LinesView = Pick<ListView, 'search' | 'filters'> & {
  sort?: ListView['sort'];
  /** Limits the lines to one site. */
  siteId?: number;
};

/** The filter parameters of the path, and those of the query, shared by the list, its CSV export and the live updates. */
export const lineFilters = ({ search, filters, siteId }: LinesView) => {
  const { time, zone } = askForDays(filters['time']);
  const asked = {
    filter: LoginStatus.safeParse(filters['status']).data,
    time,
    site: siteId === undefined ? filters['site'] : String(siteId),
    keyword: search || undefined,
  };
  // Both come from an address that may have been written by hand.
  const since = Moment.safeParse(filters['since']).data;
  return { asked, inQuery: { zone, reason: filters['reason'], since } };
};

export const activityQuery = ({ id, name }: NetworkRef, view: LinesView) => {
  const { asked, inQuery } = lineFilters(view);
  return pagedQuery<LogLine>({
    // It has the dates, so that a quick choice is loaded again on the next day.
    queryKey: ['activity', id, asked, inQuery.reason, inQuery.since, view.sort],
    page: async (lastid, signal, count) => {
      const params = { server: name, lastid, ...asked };
      const query = { sort: sortText(view.sort, 'site'), ...inQuery, count };
      const { logs, all_logs, total_is_minimum } = await call(listActivity, { params, query }, signal);
      return { rows: logs, total: all_logs, isMinimum: total_is_minimum === true };
    },
  });
};

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
export const userActivityQuery = (network: NetworkRef, email: string, view: Pick<ListView, 'search' | 'filters'>) => {
  const {
    asked: { site: _site, ...asked },
    inQuery: { zone },
  } = lineFilters(view);
  return pagedQuery<LogLine>({
    queryKey: ['activity', 'of-user', network.id, email, asked],
    page: async (lastid, signal, count) => {
      const params = { email, lastid, server: network.name, ...asked };
      const { logs, all_logs, total_is_minimum } = await call(listUserLog, { params, query: { zone, count } }, signal);
      return { rows: logs, total: all_logs, isMinimum: total_is_minimum === true };
    },
  });
};
