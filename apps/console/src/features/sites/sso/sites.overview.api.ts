import { getSiteOverview } from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';

/** The state of single sign-on at a site. `interval` in milliseconds, for a screen on which somebody waits for a sign-in. */
export const siteOverviewQuery = (id: number, interval: number | false = false) =>
  queryOptions({
    queryKey: ['sites', 'overview', id],
    queryFn: ({ signal }) => call(getSiteOverview, { params: { site_id: id } }, signal),
    staleTime: 0,
    refetchInterval: interval,
  });
