import {
  assignGroup,
  assignSite,
  type Group,
  listGroupsToAssignToSite,
  listGroupsToAssignToUser,
  listSiteGroups,
  listUserGroups,
  removeUserGroup,
  type UserGroup,
  unassignSite,
} from '@opensocial/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/caller.ts';
import { pagedQuery, withoutRows } from '../../api/paged-query.ts';
import { queryClient } from '../../api/query-client.ts';
import type { NetworkRef } from '../../api/session.ts';

const siteGroupsKey = (siteId: number) => ['groups', 'of-site', siteId] as const;

/** Whether a site's groups, or those that it could be assigned to. */
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

/** Who may enter a site depends on its groups: so do the users that its panel lists. */
export const reloadSiteGroups = async (siteId: number): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: siteGroupsKey(siteId) });
  await queryClient.invalidateQueries({ queryKey: ['users', 'of-site', siteId] });
};

export const assignGroupToSite = (siteId: number, { id }: Group) =>
  call(assignSite, { body: { group_id: id, subscriber_id: siteId } });

export const takeGroupFromSite = async (siteId: number, { id }: Group): Promise<void> => {
  await call(unassignSite, { params: { group_id: id, site_id: siteId } });
  queryClient.setQueriesData({ queryKey: [...siteGroupsKey(siteId), 'assigned'] }, withoutRows(new Set([id])));
};

const userGroupsKey = (network: NetworkRef, userId: number) => ['groups', 'of-user', network.id, userId] as const;

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

/** Which sites a user may enter depends on their groups. */
export const reloadUserGroups = async (network: NetworkRef, userId: number): Promise<void> => {
  await queryClient.invalidateQueries({ queryKey: userGroupsKey(network, userId) });
  await queryClient.invalidateQueries({ queryKey: ['users', 'user', network.id, userId] });
};

export const assignGroupToUser = (userId: number, { id }: Group) =>
  call(assignGroup, { body: { group_id: id, user_id: userId } });

export const takeGroupFromUser = ({ id }: UserGroup) => call(removeUserGroup, { params: { id } });
