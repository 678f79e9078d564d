import {
  type AssignableSite,
  assignGroup,
  assignSite,
  assignUser,
  createGroup,
  type EditedGroup,
  type Group,
  type GroupChanges,
  type GroupDraft,
  type GroupSite,
  type GroupUser,
  getGroup,
  listGroupSites,
  listGroups,
  listGroupsToAssignToSite,
  listGroupsToAssignToUser,
  listGroupUsers,
  listSiteGroups,
  listSitesToAssign,
  listUserGroups,
  listUsersToAssign,
  removeGroup,
  removeUserGroup,
  type UserGroup,
  unassignSite,
  unassignUser,
  updateGroup,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withChangedRow, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import {
  groupMembersKey,
  markMembershipsStale,
  siteGroupsKey,
  siteUsersKey,
  userGroupsKey,
  userKey,
} from '../../api/transport/query-keys.ts';
import { readAllRows } from '../../api/transport/read-all-rows.ts';

/** The call: the groups of a site, or the groups that can be assigned to it. */
type Which = typeof listSiteGroups | typeof listGroupsToAssignToSite;

const siteGroups = (declared: Which, name: string) => (network: NetworkRef, siteId: number, search: string) =>
  pagedQuery<Group>({
    queryKey: [...siteGroupsKey(siteId), name, search],
    page: async (lastid, signal) => {
      const params = { site_id: siteId, server_id: network.id, lastid, keyword: search || undefined };
      const { groups, all_groups } = await call(declared, { params }, signal);
      return { rows: groups, total: all_groups };
    },
  });

export const siteGroupsQuery = siteGroups(listSiteGroups, 'assigned');
export const groupsToAssignQuery = siteGroups(listGroupsToAssignToSite, 'to-assign');

/** The users who may enter a site depend on its groups, so they are loaded again too. */
export const reloadSiteGroups = async (siteId: number): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: siteGroupsKey(siteId) });
  await queryClient.invalidateQueries({ queryKey: siteUsersKey(siteId) });
};

export const assignGroupToSite = async (network: NetworkRef, siteId: number, { id }: Group): Promise<void> => {
  await call(assignSite, { body: { group_id: id, subscriber_id: siteId } });
  await markMembershipsStale(network);
};

export const takeGroupFromSite = async (network: NetworkRef, siteId: number, { id }: Group): Promise<void> => {
  await call(unassignSite, { params: { group_id: id, site_id: siteId } });
  queryClient.setQueriesData({ queryKey: [...siteGroupsKey(siteId), 'assigned'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};

export const userGroupsQuery = (network: NetworkRef, userId: number) =>
  queryOptions({
    queryKey: [...userGroupsKey(network, userId), 'held'],
    queryFn: ({ signal }) => call(listUserGroups, { params: { user_id: userId, server_id: network.id } }, signal),
  });

export const groupsForUserQuery = (network: NetworkRef, userId: number, search: string) =>
  pagedQuery<Group>({
    queryKey: [...userGroupsKey(network, userId), 'to-assign', search],
    page: async (lastid, signal) => {
      const params = { user_id: userId, server_id: network.id, lastid, keyword: search || undefined };
      const { groups, all_groups } = await call(listGroupsToAssignToUser, { params }, signal);
      return { rows: groups, total: all_groups };
    },
  });

/** The sites that a user may enter depend on their groups, so the user is loaded again too. */
export const reloadUserGroups = async (network: NetworkRef, userId: number): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: userGroupsKey(network, userId) });
  await queryClient.invalidateQueries({ queryKey: userKey(network, userId) });
};

export const assignGroupToUser = async (network: NetworkRef, userId: number, { id }: Group): Promise<void> => {
  await call(assignGroup, { body: { group_id: id, user_id: userId } });
  await markMembershipsStale(network);
};

export const takeGroupFromUser = async (network: NetworkRef, { id }: UserGroup): Promise<void> => {
  await call(removeUserGroup, { params: { id } });
  await markMembershipsStale(network);
};

const listKey = (network: NetworkRef) => ['groups', 'list', network.id] as const;
const groupKey = (id: number) => ['groups', 'group', id] as const;

export const groupsQuery = (network: NetworkRef, search: string) =>
  pagedQuery<Group>({
    queryKey: [...listKey(network), search],
    page: async (lastId, signal) => {
      const params = { serverId: network.id, serverName: network.name, lastId, keyword: search || undefined };
      const { groups, all_groups } = await call(listGroups, { params }, signal);
      return { rows: groups, total: all_groups };
    },
  });

export const reloadGroups = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: listKey(network) });

export const addGroup = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['groups', 'create', network.id],
    mutationFn: (words: Pick<GroupDraft, 'name' | 'description'>) =>
      call(createGroup, { body: { ...words, sso_server: network.id } }),
    onSuccess: () => reloadGroups(network),
  });

export const deleteGroup = async (network: NetworkRef, { id }: Group): Promise<void> => {
  await call(removeGroup, { params: { groupId: id } });
  queryClient.setQueriesData({ queryKey: listKey(network) }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
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
      queryClient.setQueriesData({ queryKey: listKey(network) }, withChangedRow<Group>(group.id, group));
    },
  });

type UserList = typeof listGroupUsers | typeof listUsersToAssign;

const groupUsers = (declared: UserList, name: string) => (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<GroupUser>({
    queryKey: [...groupMembersKey(groupId), name, search],
    page: async (lastId, signal) => {
      const named = { serverName: network.name, serverId: network.id };
      const params = { groupId, lastId, ...named, keyword: search || undefined };
      const { users, all_users } = await call(declared, { params }, signal);
      return { rows: users, total: all_users };
    },
  });

export const groupUsersQuery = groupUsers(listGroupUsers, 'users');
export const usersToAssignQuery = groupUsers(listUsersToAssign, 'users-to-assign');

export const groupSitesQuery = (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<GroupSite>({
    queryKey: [...groupMembersKey(groupId), 'sites', search],
    page: async (lastId, signal) => {
      const params = { groupId, lastId, serverId: network.id, keyword: search || undefined };
      const { sites, all_sites } = await call(listGroupSites, { params }, signal);
      return { rows: sites, total: all_sites };
    },
  });

export const sitesToAssignQuery = (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<AssignableSite>({
    queryKey: [...groupMembersKey(groupId), 'sites-to-assign', search],
    page: async (lastId, signal) => {
      const params = { groupId, lastId, serverId: network.id, keyword: search || undefined };
      const { sites, all_sites } = await call(listSitesToAssign, { params }, signal);
      return { rows: sites, total: all_sites };
    },
  });

export const reloadGroupMembers = (groupId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupMembersKey(groupId) });

export const assignUserToGroup = async (
  network: NetworkRef,
  groupId: number,
  { user_id }: GroupUser,
): Promise<void> => {
  await call(assignUser, { body: { user_id, group_id: groupId } });
  await markMembershipsStale(network);
};

export const assignSiteToGroup = async (
  network: NetworkRef,
  groupId: number,
  { id }: AssignableSite,
): Promise<void> => {
  await call(assignSite, { body: { subscriber_id: id, group_id: groupId } });
  await markMembershipsStale(network);
};

export const takeUserFromGroup = async (
  network: NetworkRef,
  groupId: number,
  { id, user_id }: GroupUser,
): Promise<void> => {
  await call(unassignUser, { params: { groupId, userId: user_id } });
  queryClient.setQueriesData({ queryKey: [...groupMembersKey(groupId), 'users'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};

export const takeSiteFromGroup = async (
  network: NetworkRef,
  groupId: number,
  { id, subscriber_id }: GroupSite,
): Promise<void> => {
  await call(unassignSite, { params: { group_id: groupId, site_id: subscriber_id } });
  queryClient.setQueriesData({ queryKey: [...groupMembersKey(groupId), 'sites'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};
