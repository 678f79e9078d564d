import type { AssignableSite, Group, GroupSite, GroupUser } from '@opensocial/contract';
import type { QueryKey } from '@tanstack/react-query';
import { beforeEach, describe, expect, test } from 'vitest';
import { queryClient } from '../../api/transport/query-client.ts';
import { answer, stubServer } from '../../testing/stub-server.ts';
import {
  assignGroupToSite,
  assignGroupToUser,
  assignSiteToGroup,
  assignUserToGroup,
  groupSitesQuery,
  groupUsersQuery,
  removeGroupFromSite,
  removeGroupFromUser,
  removeSiteFromGroup,
  removeUserFromGroup,
  siteGroupsQuery,
  userGroupsQuery,
} from './groups.members.api.ts';

const network = { id: 7, name: 'northlab' };
const [groupId, userId, siteId, membershipId] = [3, 4, 5, 6];
const group = { id: groupId } as Group;

const sides = {
  groupUsers: groupUsersQuery(network, groupId, '').queryKey,
  groupSites: groupSitesQuery(network, groupId, '').queryKey,
  userGroups: userGroupsQuery(network, userId).queryKey,
  siteGroups: siteGroupsQuery(network, siteId, '').queryKey,
};

const queryKeys: QueryKey[] = Object.values(sides);

const isStale = (side: keyof typeof sides) => queryClient.getQueryState(sides[side])?.isInvalidated;

beforeEach(() => {
  for (const queryKey of queryKeys) queryClient.setQueryData(queryKey, { pages: [], pageParams: [] });
  const done = answer({ message: 'done' });
  stubServer({
    'POST /server/sso/group/assign/users': done,
    'POST /server/sso/group/assign/sites': done,
    'POST /server/sso/user/assign/groups': done,
    [`DELETE /server/sso/group_user/${groupId}/${userId}`]: done,
    [`DELETE /server/sso/group_site/${groupId}/${siteId}`]: done,
    [`DELETE /server/sso/user/group/${membershipId}`]: done,
  });
});

describe('§2.9 a changed membership is reloaded on both sides', () => {
  test.each([
    ['assign a user to a group', () => assignUserToGroup(network, groupId, { user_id: userId } as GroupUser)],
    ['assign a group to a user', () => assignGroupToUser(network, userId, group)],
    [
      'take a user from a group',
      () => removeUserFromGroup(network, groupId, { id: membershipId, user_id: userId } as GroupUser),
    ],
    ['take a group from a user', () => removeGroupFromUser(network, { id: membershipId } as never)],
  ])('%s', async (_title, act) => {
    await act();
    expect([isStale('groupUsers'), isStale('userGroups')]).toEqual([true, true]);
  });

  test.each([
    ['assign a site to a group', () => assignSiteToGroup(network, groupId, { id: siteId } as AssignableSite)],
    ['assign a group to a site', () => assignGroupToSite(network, siteId, group)],
    [
      'take a site from a group',
      () => removeSiteFromGroup(network, groupId, { id: membershipId, subscriber_id: siteId } as GroupSite),
    ],
    ['take a group from a site', () => removeGroupFromSite(network, siteId, group)],
  ])('%s', async (_title, act) => {
    await act();
    expect([isStale('groupSites'), isStale('siteGroups')]).toEqual([true, true]);
  });
});
