import {
  type AssignableSite,
  assignGroup,
  assignSite,
  assignUser,
  type Group,
  type GroupRow,
  type GroupSite,
  type GroupUser,
  listGroupSites,
  listGroupsToAssignToSite,
  listGroupsToAssignToUser,
  listGroupUsers,
  listSiteGroups,
  listSitesToAssign,
  listUserGroups,
  listUsersToAssign,
  removeUserGroup,
  type UserGroup,
  unassignSite,
  unassignUser,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withChangedRow, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import {
  groupMembersKey,
  groupsListKey,
  markMembershipsStale,
  siteGroupsKey,
  siteUsersKey,
  userGroupsKey,
  userKey,
  usersListKey,
} from '../../api/transport/query-keys.ts';

/** The call: the groups of a site, or the groups that can be assigned to it. */
type SiteGroupsCall = typeof listSiteGroups | typeof listGroupsToAssignToSite;

const siteGroups = (declared: SiteGroupsCall, name: string) => (network: NetworkRef, siteId: number, search: string) =>
  pagedQuery<Group>({
    queryKey: [...siteGroupsKey(siteId), name, search],
    page: async (lastid, signal) => {
      const params = { site_id: siteId, server_id: network.id, lastid, keyword: search || undefined };
      const { groups, all_groups, total_is_minimum } = await call(declared, { params }, signal);
      return { rows: groups, total: all_groups, isMinimum: total_is_minimum === true };
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

export const removeGroupFromSite = async (network: NetworkRef, siteId: number, { id }: Group): Promise<void> => {
  await call(unassignSite, { params: { group_id: id, site_id: siteId } });
  queryClient.setQueriesData({ queryKey: [...siteGroupsKey(siteId), 'assigned'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};

export const userGroupsQuery = (network: NetworkRef, userId: number) =>
  queryOptions({
    queryKey: [...userGroupsKey(network, userId), 'assigned'],
    queryFn: ({ signal }) => call(listUserGroups, { params: { user_id: userId, server_id: network.id } }, signal),
  });

export const groupsForUserQuery = (network: NetworkRef, userId: number, search: string) =>
  pagedQuery<Group>({
    queryKey: [...userGroupsKey(network, userId), 'to-assign', search],
    page: async (lastid, signal) => {
      const params = { user_id: userId, server_id: network.id, lastid, keyword: search || undefined };
      const { groups, all_groups, total_is_minimum } = await call(listGroupsToAssignToUser, { params }, signal);
      return { rows: groups, total: all_groups, isMinimum: total_is_minimum === true };
    },
  });

/** The list of users is behind the panel of the user, and shows the groups. */
const reloadUsersList = (network: NetworkRef): void =>
  void queryClient.invalidateQueries({ queryKey: usersListKey(network) });

/** The sites that a user may enter depend on their groups, so the user is loaded again too. */
export const reloadUserGroups = async (network: NetworkRef, userId: number): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: userGroupsKey(network, userId) });
  await queryClient.invalidateQueries({ queryKey: userKey(network, userId) });
};

export const assignGroupToUser = async (network: NetworkRef, userId: number, { id }: Group): Promise<void> => {
  await call(assignGroup, { body: { group_id: id, user_id: userId } });
  await markMembershipsStale(network);
  reloadUsersList(network);
};

export const removeGroupFromUser = async (network: NetworkRef, { id }: UserGroup): Promise<void> => {
  await call(removeUserGroup, { params: { id } });
  await markMembershipsStale(network);
  reloadUsersList(network);
};

type GroupUsersCall = typeof listGroupUsers | typeof listUsersToAssign;

const groupUsers = (declared: GroupUsersCall, name: string) => (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<GroupUser>({
    queryKey: [...groupMembersKey(groupId), name, search],
    page: async (lastId, signal, count) => {
      const named = { serverName: network.name, serverId: network.id };
      const params = { groupId, lastId, ...named, keyword: search || undefined };
      const { users, all_users, total_is_minimum } = await call(declared, { params, query: { count } }, signal);
      return { rows: users, total: all_users, isMinimum: total_is_minimum === true };
    },
  });

export const groupUsersQuery = groupUsers(listGroupUsers, 'users');
export const usersToAssignQuery = groupUsers(listUsersToAssign, 'users-to-assign');

export const groupSitesQuery = (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<GroupSite>({
    queryKey: [...groupMembersKey(groupId), 'sites', search],
    page: async (lastId, signal) => {
      const params = { groupId, lastId, serverId: network.id, keyword: search || undefined };
      const { sites, all_sites, total_is_minimum } = await call(listGroupSites, { params }, signal);
      return { rows: sites, total: all_sites, isMinimum: total_is_minimum === true };
    },
  });

export const sitesToAssignQuery = (network: NetworkRef, groupId: number, search: string) =>
  pagedQuery<AssignableSite>({
    queryKey: [...groupMembersKey(groupId), 'sites-to-assign', search],
    page: async (lastId, signal) => {
      const params = { groupId, lastId, serverId: network.id, keyword: search || undefined };
      const { sites, all_sites, total_is_minimum } = await call(listSitesToAssign, { params }, signal);
      return { rows: sites, total: all_sites, isMinimum: total_is_minimum === true };
    },
  });

export const reloadGroupMembers = (groupId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: groupMembersKey(groupId) });

/** The list of groups is behind the panel of the group, so its numbers follow at once. */
const changeCount = (network: NetworkRef, groupId: number, count: 'user_count' | 'site_count', by: 1 | -1): void => {
  queryClient.setQueriesData(
    { queryKey: groupsListKey(network) },
    withChangedRow<GroupRow>(groupId, (group) => ({ [count]: group[count] + by })),
  );
};

export const assignUserToGroup = async (
  network: NetworkRef,
  groupId: number,
  { user_id }: GroupUser,
): Promise<void> => {
  await call(assignUser, { body: { user_id, group_id: groupId } });
  changeCount(network, groupId, 'user_count', 1);
  await markMembershipsStale(network);
};

export const assignSiteToGroup = async (
  network: NetworkRef,
  groupId: number,
  { id }: AssignableSite,
): Promise<void> => {
  await call(assignSite, { body: { subscriber_id: id, group_id: groupId } });
  changeCount(network, groupId, 'site_count', 1);
  await markMembershipsStale(network);
};

export const removeUserFromGroup = async (
  network: NetworkRef,
  groupId: number,
  { id, user_id }: GroupUser,
): Promise<void> => {
  await call(unassignUser, { params: { groupId, userId: user_id } });
  changeCount(network, groupId, 'user_count', -1);
  queryClient.setQueriesData({ queryKey: [...groupMembersKey(groupId), 'users'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};

export const removeSiteFromGroup = async (
  network: NetworkRef,
  groupId: number,
  { id, subscriber_id }: GroupSite,
): Promise<void> => {
  await call(unassignSite, { params: { group_id: groupId, site_id: subscriber_id } });
  changeCount(network, groupId, 'site_count', -1);
  queryClient.setQueriesData({ queryKey: [...groupMembersKey(groupId), 'sites'] }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};
