import {
  assignSite,
  type Group,
  listAvailableApps,
  listDesktopApps,
  listSiteGroups,
  saveDesktopApps,
  unassignSite,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/transport/caller.ts';
import type { NetworkRef } from '../../../api/transport/network-ref.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { markMembershipsStale, siteGroupsKey } from '../../../api/transport/query-keys.ts';
import { readAllRows } from '../../../api/transport/read-all-rows.ts';
import { siteOverviewQuery } from '../sso/sites.overview.api.ts';

const readAssigned = async (network: NetworkRef, siteId: number): Promise<Group[]> => {
  const groups = await readAllRows(async (lastid) => {
    const found = await call(listSiteGroups, { params: { site_id: siteId, server_id: network.id, lastid } });
    return { rows: found.groups, total: found.all_groups };
  });
  return groups ?? [];
};

/** All groups that a site is assigned to. */
export const assignedGroupsQuery = (network: NetworkRef, siteId: number) =>
  queryOptions({
    queryKey: [...siteGroupsKey(siteId), 'all'],
    queryFn: () => readAssigned(network, siteId),
    staleTime: 0,
  });

/** Puts a site at the end of the desktop, or takes it off. The version makes sure that a change of another person is not lost. */
const showOnDesktop = async (network: NetworkRef, siteId: number, isShown: boolean): Promise<void> => {
  const params = { server_id: network.id };
  const { version } = await call(listAvailableApps, { params });
  const shown = (await call(listDesktopApps, { params })).map(({ id }) => id);
  if (shown.includes(siteId) === isShown) return;
  const desktop_apps = isShown ? [...shown, siteId] : shown.filter((id) => id !== siteId);
  await call(saveDesktopApps, { params, body: { available_apps: isShown ? [] : [siteId], desktop_apps, version } });
};

type People = { added: readonly number[]; removed: readonly Group[]; isOnDesktop: boolean };

/** Saves who may use a site, and whether it is on the desktop. Each part can be repeated after a failure. */
export const savePeople = (network: NetworkRef, siteId: number) =>
  mutationOptions({
    mutationKey: ['sites', 'people', siteId],
    mutationFn: async ({ added, removed, isOnDesktop }: People) => {
      for (const group_id of added) await call(assignSite, { body: { group_id, subscriber_id: siteId } });
      for (const { id } of removed) await call(unassignSite, { params: { group_id: id, site_id: siteId } });
      await showOnDesktop(network, siteId, isOnDesktop);
    },
    onSettled: async () => {
      await markMembershipsStale(network);
      await Promise.all(
        [['desktop', network.id], siteOverviewQuery(siteId).queryKey, siteGroupsKey(siteId)].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      );
    },
  });
