import { getOverview, getSignInStatistics, type OverviewPeriod } from '@opensocial/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { viewerZone } from '../../patterns/time/viewer-zone.ts';

export const overviewQuery = (network: NetworkRef) =>
  queryOptions({
    queryKey: ['overview', network.id],
    queryFn: ({ signal }) => call(getOverview, { params: { server: network.name } }, signal),
  });

/** Hours and days are in the viewer's time zone. While another period is loaded, the former one stays. */
export const signInsQuery = (network: NetworkRef, period: OverviewPeriod) => {
  const query = { zone: viewerZone() };
  return queryOptions({
    queryKey: ['overview', 'sign-ins', network.id, period],
    queryFn: ({ signal }) => call(getSignInStatistics, { params: { server: network.name, period }, query }, signal),
    placeholderData: keepPreviousData,
  });
};
