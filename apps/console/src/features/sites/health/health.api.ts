import { changeSiteHealth, checkSite, getSiteHealth, type SiteHealthChanges } from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { desktopAppsKey } from '../../../api/transport/query-keys.ts';

export const healthQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['sites', 'health', siteId],
    queryFn: ({ signal }) => call(getSiteHealth, { params: { site_id: siteId } }, signal),
    staleTime: 0,
  });

/** The list of sites and the tiles show the outcome, and the form of the site has another version after a change. */
const reload = (network: NetworkRef, siteId: number) =>
  Promise.all(
    [['sites', 'list'], desktopAppsKey(network), ['sites', 'site', siteId]].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  );

export const checkNow = (network: NetworkRef, siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'health', siteId, 'check'],
    mutationFn: () => call(checkSite, { params: { site_id: siteId } }),
    onSuccess: async (health) => {
      queryClient.setQueryData(healthQuery(siteId).queryKey, health);
      await reload(network, siteId);
    },
  });

export const changeHealth = (network: NetworkRef, siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'health', siteId, 'change'],
    mutationFn: (body: SiteHealthChanges) => call(changeSiteHealth, { params: { site_id: siteId }, body }),
    onSuccess: async (health) => {
      queryClient.setQueryData(healthQuery(siteId).queryKey, health);
      await reload(network, siteId);
    },
  });
