import {
  type Group,
  getSiteMaintenance,
  listGroups,
  planSiteMaintenance,
  type SiteMaintenanceChanges,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { pagedQuery } from '../../../api/transport/paged-query.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { desktopAppsKey } from '../../../api/transport/query-keys.ts';

export const maintenanceQuery = (siteId: number) =>
  queryOptions({
    queryKey: ['sites', 'maintenance', siteId],
    queryFn: ({ signal }) => call(getSiteMaintenance, { params: { site_id: siteId } }, signal),
    staleTime: 0,
  });

export const planMaintenance = (network: NetworkRef, siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'maintenance', siteId, 'plan'],
    mutationFn: (body: SiteMaintenanceChanges) => call(planSiteMaintenance, { params: { site_id: siteId }, body }),
    onSuccess: async (planned) => {
      queryClient.setQueryData(maintenanceQuery(siteId).queryKey, planned);
      // Tiles announce the maintenance, and the form of the site has another version now.
      await Promise.all(
        [desktopAppsKey(network), ['sites', 'site', siteId]].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });

/** The groups of the network, for the choice of testers. */
export const testerGroupsQuery = (network: NetworkRef, search: string) =>
  pagedQuery<Group>({
    queryKey: ['sites', 'tester-groups', network.id, search],
    page: async (lastId, signal) => {
      const { groups, all_groups, total_is_minimum } = await call(
        listGroups,
        { params: { serverId: network.id, serverName: network.name, lastId, keyword: search || undefined } },
        signal,
      );
      return { rows: groups, total: all_groups, isMinimum: total_is_minimum === true };
    },
  });
