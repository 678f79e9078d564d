import { delinkSiteUser, listSiteUsers, type SiteUser } from '@opensocial/contract';
import { call } from '../../api/caller.ts';
import { pagedQuery, withoutRows } from '../../api/paged-query.ts';
import { queryClient } from '../../api/query-client.ts';
import type { NetworkRef } from '../../api/session.ts';

const siteUsersKey = (siteId: number) => ['users', 'of-site', siteId] as const;

export const siteUsersQuery = (network: NetworkRef, siteId: number, search: string) =>
  pagedQuery<SiteUser>({
    queryKey: [...siteUsersKey(siteId), search],
    page: async (lastid, signal) => {
      const params = { siteId, serverId: network.id, lastid, keyword: search || undefined };
      const { users, all_users } = await call(listSiteUsers, { params }, signal);
      return { rows: users, total: all_users };
    },
  });

export const reloadSiteUsers = (siteId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: siteUsersKey(siteId) });

export const takeUserFromSite = async (network: NetworkRef, siteId: number, { id }: SiteUser): Promise<void> => {
  await call(delinkSiteUser, { params: { userId: id, siteId, serverId: network.id } });
  queryClient.setQueriesData({ queryKey: siteUsersKey(siteId) }, withoutRows(new Set([id])));
};
