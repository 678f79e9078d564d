import {
  changeUser,
  createUser,
  delinkSiteUser,
  getAllSignupStatistics,
  getSignupStatistics,
  getUser,
  type ImportRow,
  importUsers,
  listSiteUsers,
  listUserSites,
  listUsers,
  type Removed,
  removeUser,
  type SiteUser,
  setNeverDisable,
  setUserMode,
  type User,
  type UserChange,
  type UserChanges,
  type UserDraft,
  UserMode,
  type UserRow,
  UserStatus,
  updateUser,
} from '@opensocial/contract';
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/transport/caller.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { pagedQuery, withChangedRow, withoutRows } from '../../api/transport/paged-query.ts';
import { queryClient } from '../../api/transport/query-client.ts';
import { markMembershipsStale, siteUsersKey, userKey, usersListKey } from '../../api/transport/query-keys.ts';
import { askForDays, type DayRange } from '../../patterns/date-range/days.ts';
import { type ListView, sortText } from '../../patterns/record-list/model/list-description.ts';
import { viewerZone } from '../../patterns/time/viewer-zone.ts';

type UsersView = Pick<ListView, 'search' | 'filters'> & Partial<Pick<ListView, 'sort'>>;

/** The parameters of the path and the time zone of its days, shared by the list and its export. */
export const userFilters = (network: NetworkRef, { search, filters }: UsersView) => {
  const { time, zone } = askForDays(filters['time']);
  const asked = {
    serverId: network.id,
    serverName: network.name,
    filter: UserStatus.safeParse(filters['status']).data,
    user_mode: UserMode.safeParse(filters['mode']).data,
    time,
    keyword: search || undefined,
  };
  return { asked, zone };
};

export const usersQuery = (network: NetworkRef, view: UsersView) => {
  const { asked, zone } = userFilters(network, view);
  return pagedQuery<UserRow>({
    // It has the dates, so that a quick choice is loaded again on the next day.
    queryKey: [...usersListKey(network), asked, view.sort],
    page: async (lastId, signal, count) => {
      const params = { ...asked, lastId };
      const query = { sort: sortText(view.sort, 'email', 'name', 'last_login'), zone, count };
      const { users, all_users, total_is_minimum } = await call(listUsers, { params, query }, signal);
      return { rows: users, total: all_users, isMinimum: total_is_minimum === true };
    },
  });
};

export const reloadUsers = (network: NetworkRef): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: usersListKey(network) });

const changeRow = (network: NetworkRef, id: number, changes: Partial<UserRow>): void => {
  queryClient.setQueriesData({ queryKey: usersListKey(network) }, withChangedRow<UserRow>(id, changes));
};

export const deleteUser = async (network: NetworkRef, { id, uid }: UserRow): Promise<Removed> => {
  const removed = await call(removeUser, { body: { id, uid, server_id: network.id, sso_server: network.name } });
  queryClient.setQueriesData({ queryKey: usersListKey(network) }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
  return removed;
};

const changesOf = (change: UserChange): Partial<UserRow> => {
  const mode = UserMode.safeParse(change);
  return mode.success ? { user_mode: mode.data } : { status: UserStatus.parse(change) };
};

/** Sets the mode of one user. Activating a locked account unlocks it. */
export const lockUser = async (network: NetworkRef, { id }: Pick<UserRow, 'id'>, mode: UserMode): Promise<void> => {
  await call(setUserMode, { params: { userId: id, mode } });
  changeRow(network, id, { user_mode: mode });
  await queryClient.invalidateQueries({ queryKey: userKey(network, id) });
};

/** Changes one of many users. The server does not change an account of another network. */
export const changeOneUser = async (network: NetworkRef, { id }: UserRow, change: UserChange): Promise<void> => {
  await call(changeUser, { params: { userId: id, mode: change, serverName: network.name } });
  changeRow(network, id, changesOf(change));
  await queryClient.invalidateQueries({ queryKey: userKey(network, id) });
};

export const userQuery = (network: NetworkRef, id: number) =>
  queryOptions({
    queryKey: userKey(network, id),
    queryFn: ({ signal }) => call(getUser, { params: { user_id: id } }, signal),
    refetchOnWindowFocus: false,
  });

/** The current user, for a form whose save was refused because another person has changed it. */
export const reloadUser = (network: NetworkRef, id: number): Promise<User> =>
  queryClient.fetchQuery({ ...userQuery(network, id), staleTime: 0 });

const cacheUser = (network: NetworkRef) => (user: User) => {
  queryClient.setQueryData(userKey(network, user.id), user);
  const { firstname, lastname, fullname } = user;
  changeRow(network, user.id, { firstname, lastname, fullname });
};

export const saveUser = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['users', 'update', network.id],
    mutationFn: ({ version, ...changes }: UserChanges) => call(updateUser, { body: { ...changes, based_on: version } }),
    onSuccess: cacheUser(network),
  });

export const addUser = (network: NetworkRef) =>
  mutationOptions({
    mutationKey: ['users', 'create', network.id],
    mutationFn: (draft: Pick<UserDraft, 'email' | 'firstname' | 'lastname' | 'groups'>) =>
      call(createUser, {
        body: {
          ...draft,
          sso_server_id: network.id,
          signup_server: network.name,
          signup_from: window.location.origin,
        },
      }),
    onSuccess: () => Promise.all([reloadUsers(network), markMembershipsStale(network)]),
  });

export const saveNeverDisable = (network: NetworkRef, id: number) =>
  mutationOptions({
    mutationKey: ['users', 'never-disable', id],
    mutationFn: (bypass_inactivity: 'Yes' | 'No') =>
      call(setNeverDisable, { body: { user_id: id, bypass_inactivity } }),
    onSuccess: (_answer, bypass_inactivity) =>
      queryClient.setQueryData<User>(userKey(network, id), (cached) => cached && { ...cached, bypass_inactivity }),
  });

/** The signups of one network or of all networks. Days are in the viewer's time zone. */
export const signupStatisticsQuery = (network: NetworkRef | undefined, { from, to }: DayRange) => {
  const query = { zone: viewerZone() };
  return queryOptions({
    queryKey: ['users', 'statistics', network?.id ?? 'all', from, to],
    queryFn: ({ signal }) =>
      network
        ? call(getSignupStatistics, { params: { serverName: network.name, fromDate: from, toDate: to }, query }, signal)
        : call(getAllSignupStatistics, { params: { fromDate: from, toDate: to }, query }, signal),
  });
};

export const userSitesQuery = (network: NetworkRef, id: number) =>
  queryOptions({
    queryKey: [...userKey(network, id), 'sites'],
    queryFn: ({ signal }) => call(listUserSites, { params: { user_id: id, server_id: network.id } }, signal),
  });

/** §2.8: only in Visited mode. */
export const removeSiteFromUser = async (network: NetworkRef, userId: number, siteId: number): Promise<void> => {
  await call(delinkSiteUser, { params: { userId, siteId, serverId: network.id } });
  await markMembershipsStale(network);
};

export const reloadUserSites = (network: NetworkRef, id: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [...userKey(network, id), 'sites'] });

export const importRows = async (network: NetworkRef, rows: ImportRow[], apply: boolean) => {
  const params = { server_id: network.id, server_name: network.name };
  const imported = await call(importUsers, { params, body: { rows, apply } });
  if (apply) await markMembershipsStale(network);
  return imported;
};

export const siteUsersQuery = (network: NetworkRef, siteId: number, search: string) =>
  pagedQuery<SiteUser>({
    queryKey: [...siteUsersKey(siteId), search],
    page: async (lastid, signal, count) => {
      const params = { siteId, serverId: network.id, lastid, keyword: search || undefined };
      const { users, all_users, total_is_minimum } = await call(listSiteUsers, { params, query: { count } }, signal);
      return { rows: users, total: all_users, isMinimum: total_is_minimum === true };
    },
  });

export const reloadSiteUsers = (siteId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: siteUsersKey(siteId) });

export const removeUserFromSite = async (network: NetworkRef, siteId: number, { id }: SiteUser): Promise<void> => {
  await call(delinkSiteUser, { params: { userId: id, siteId, serverId: network.id } });
  queryClient.setQueriesData({ queryKey: siteUsersKey(siteId) }, withoutRows(new Set([id])));
  await markMembershipsStale(network);
};
