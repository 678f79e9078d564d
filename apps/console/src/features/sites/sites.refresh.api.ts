import {
  applySiteRefresh,
  type DifferenceChoice,
  getSiteRefresh,
  refreshSite,
  type SiteRefresh,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { reloadSites } from './sites.api.ts';

export const siteRefreshQuery = (id: number) =>
  queryOptions({
    queryKey: ['sites', 'refresh', id],
    queryFn: ({ signal }) => call(getSiteRefresh, { params: { site_id: id } }, signal),
    staleTime: 0,
  });

/** The list of sites shows whether there are differences. */
const cacheRefresh = (network: NetworkRef, id: number) => async (refresh: SiteRefresh) => {
  queryClient.setQueryData(siteRefreshQuery(id).queryKey, refresh);
  await reloadSites(network);
};

export const readMetadataNow = (network: NetworkRef, id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'refresh', id, 'read'],
    mutationFn: () => call(refreshSite, { params: { site_id: id } }),
    onSuccess: cacheRefresh(network, id),
  });

export const applyDifferences = (network: NetworkRef, id: number) =>
  mutationOptions({
    mutationKey: ['sites', 'refresh', id, 'apply'],
    mutationFn: (choice: DifferenceChoice) => call(applySiteRefresh, { params: { site_id: id }, body: choice }),
    onSuccess: cacheRefresh(network, id),
    // Most often the metadata or the parameters have changed in the meantime.
    onError: () => queryClient.invalidateQueries({ queryKey: siteRefreshQuery(id).queryKey }),
  });
