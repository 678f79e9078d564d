import {
  createGroup,
  type EditedGroup,
  type Group,
  type GroupChanges,
  type GroupDraft,
  type GroupRow,
  getGroup,
  listGroupSites,
  listGroups,
  listGroupUsers,
  type Removed,
  removeGroup,
  updateGroup,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withChangedRow, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { groupsListKey, markMembershipsStale } from '../../api/transport/query-keys.ts';
import { readAllRows } from '../../api/transport/read-all-rows.ts';

const groupKey = (id: number) => ['groups', 'group', id] as const;

export const groupsQuery = (network: NetworkRef, search: string) =>
  pagedQuery<GroupRow>({
    queryKey: [...groupsListKey(network), search],
    page: async (lastId, signal) => {
      const params = { serverId: network.id, serverName: network.name, lastId, keyword: search || undefined };
      const { groups, all_groups, total_is_minimum } = await call(listGroups, { params }, signal);
      return { rows: groups, total: all_groups, isMinimum: total_is_minimum === true };
    },
  });

export const reloadGroups = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupsListKey(network) });

export const addGroup = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['groups', 'create', network.id],
    mutationFn: (draft: Pick<GroupDraft, 'name' | 'description'>) =>
      call(createGroup, { body: { ...draft, sso_server: network.id } }),
    onSuccess: () => reloadGroups(network),
  });

export const deleteGroup = async (network: NetworkRef, { id }: Group): Promise<Removed> => {
  const removed = await call(removeGroup, { params: { groupId: id } });
  queryClient.setQueriesData({ queryKey: groupsListKey(network) }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
  return removed;
};

export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: groupKey(id),
    queryFn: ({ signal }) => call(getGroup, { params: { groupId: id } }, signal),
    refetchOnWindowFocus: false,
  });

/** The current group, for a form whose save was refused because another person has changed it. */
export const reloadGroup = (id: number): Promise<EditedGroup> =>
  queryClient.fetchQuery({ ...groupQuery(id), staleTime: 0 });

// §7.6: the payload of a group includes its sites and users. The server does not change them, because they have their own calls.

const readSites = async (network: NetworkRef, groupId: number) => {
  const sites = await readAllRows(async (lastId) => {
    const found = await call(listGroupSites, { params: { groupId, serverId: network.id, lastId } });
    return { rows: found.sites, total: found.all_sites };
  });
  return sites?.map(({ subscriber_id }) => ({ id: subscriber_id }));
};

const readUsers = async (network: NetworkRef, groupId: number) => {
  const users = await readAllRows(async (lastId) => {
    const found = await call(listGroupUsers, { params: { groupId, serverName: network.name, lastId } });
    return { rows: found.users, total: found.all_users };
  });
  return users?.map(({ user_id }) => ({ id: user_id }));
};

export const saveGroup = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['groups', 'update', network.id],
    mutationFn: async ({ version, ...changes }: GroupChanges & { id: number }) => {
      const [sites, users] = await Promise.all([readSites(network, changes.id), readUsers(network, changes.id)]);
      return call(updateGroup, {
        body: { ...changes, based_on: version, ...(sites && { sites }), ...(users && { users }) },
      });
    },
    onSuccess: (group) => {
      queryClient.setQueryData(groupKey(group.id), group);
      queryClient.setQueriesData({ queryKey: groupsListKey(network) }, withChangedRow<Group>(group.id, group));
    },
  });
