import type { NetworkRef } from './network-ref.ts';
import { queryClient } from './query-client.ts';

// The query keys that more than one feature uses. A key that only one feature uses stays in its own `.api.ts` file.

export const sitesKey = ['sites'] as const;
export const usersKey = ['users'] as const;
export const networksKey = ['networks'] as const;
export const networkListKey = ['networks', 'list'] as const;

export const usersListKey = (network: NetworkRef) => ['users', 'list', network.id] as const;
export const groupsListKey = (network: NetworkRef) => ['groups', 'list', network.id] as const;
/** One user with their sites and security. */
export const userKey = (network: NetworkRef, userId: number) => ['users', 'user', network.id, userId] as const;
/** The users who may enter a site. */
export const siteUsersKey = (siteId: number) => ['users', 'of-site', siteId] as const;

export const siteGroupsKey = (siteId: number) => ['groups', 'of-site', siteId] as const;
export const userGroupsKey = (network: NetworkRef, userId: number) =>
  ['groups', 'of-user', network.id, userId] as const;
/** The users and sites of a group. */
export const groupMembersKey = (groupId: number) => ['groups', 'members', groupId] as const;

/** The applications on a network's desktop, as the signed-in user sees them. */
export const desktopAppsKey = (network: NetworkRef) => ['desktop', network.id, 'apps'] as const;

/**
 * Marks every list that depends on who is in which group, or who may enter which site, as stale. The other side of a membership is
 * then read again when its panel opens. Lists on the screen are not refetched: a bulk action updates or reloads its own list.
 */
export const markMembershipsStale = async (network: NetworkRef): Promise<void> => {
  const prefixes = [
    ['groups', 'of-site'],
    ['groups', 'of-user', network.id],
    ['groups', 'members'],
    ['users', 'of-site'],
    ['users', 'user', network.id],
    desktopAppsKey(network),
    usersListKey(network),
    groupsListKey(network),
  ];
  await Promise.all(prefixes.map((queryKey) => queryClient.invalidateQueries({ queryKey, refetchType: 'none' })));
};
