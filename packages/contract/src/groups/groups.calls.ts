import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork, Removed } from '../fields.ts';
import { Counted, Cursor, page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import {
  AssignableSite,
  EditedGroup,
  EntryChange,
  EntryChangeDraft,
  Group,
  GroupChanges,
  GroupDraft,
  GroupPage,
  GroupRow,
  GroupSite,
  GroupUser,
} from './groups.schemas.ts';

export const listSiteGroups = call({
  method: 'GET',
  path: listPath('/server/sso/site_groups/:site_id', {}, '/:lastid/:server_id', { site_id: Id, server_id: Id }),
  summary: 'The groups that a site is assigned to, by name.',
  access: networkAdmin({ site_id: 'site', server_id: 'id' }),
  answer: GroupPage,
});

export const listGroupsToAssignToSite = call({
  method: 'GET',
  path: listPath('/server/sso/site/assign/groups/:site_id', {}, '/:lastid/:server_id', { site_id: Id, server_id: Id }),
  summary: 'The groups that a site is not assigned to yet, by name.',
  access: networkAdmin({ site_id: 'site', server_id: 'id' }),
  answer: GroupPage,
});

export const assignSite = call({
  method: 'POST',
  path: path('/server/sso/group/assign/sites', {}),
  summary: 'Assign a site to a group. Once it has a group, only members of its groups may enter.',
  access: networkAdmin({ group_id: 'group', subscriber_id: 'site' }),
  body: z.strictObject({ group_id: Id, subscriber_id: Id }),
  answer: Done,
});

export const unassignSite = call({
  method: 'DELETE',
  path: path('/server/sso/group_site/:group_id/:site_id', { group_id: Id, site_id: Id }),
  summary: 'Remove a site from a group.',
  access: networkAdmin({ group_id: 'group', site_id: 'site' }),
  answer: Done,
});

export const describeEntryChange = call({
  method: 'POST',
  path: path('/server/sso/group/entry_change/:server_id', { server_id: Id }),
  summary:
    'The sites that would get their first group or lose their last one, and how many people would gain or lose entry. Nothing is changed.',
  access: networkAdmin({ server_id: 'id' }),
  body: EntryChangeDraft,
  answer: EntryChange,
});

export const listGroupOptions = call({
  method: 'GET',
  path: path('/server/sso/get_groups/:server_id/:lastid', { server_id: Id, lastid: Cursor }),
  summary: 'The groups of a network to choose from, by name.',
  access: networkAdmin({ server_id: 'id' }),
  answer: z.object({ groups: z.array(Group) }),
});

export const listGroups = call({
  method: 'GET',
  path: listPath('/server/sso/groups/:serverId', {}, '/:lastId/:serverName', {
    serverId: Id,
    serverName: NamedNetwork,
  }),
  summary: 'The groups of a network, by name. A keyword is searched in name and description.',
  access: networkAdmin({ serverId: 'id', serverName: 'name' }),
  answer: page('groups', GroupRow, 'all_groups'),
});

export const getGroup = call({
  method: 'GET',
  path: path('/server/sso/group/:groupId', { groupId: Id }),
  summary: 'A group.',
  access: networkAdmin({ groupId: 'group' }),
  answer: EditedGroup,
});

export const createGroup = call({
  method: 'POST',
  path: path('/server/sso/group/new/', {}),
  summary: 'Create a group. Its name must be unique in the network.',
  access: networkAdmin({ sso_server: 'id' }),
  body: GroupDraft,
  answer: Group,
});

export const updateGroup = call({
  method: 'PUT',
  path: path('/server/sso/group', {}),
  summary: "Change a group's name and description. Its sites and users stay as they are.",
  access: networkAdmin({ id: 'group', sso_server: 'id' }),
  body: GroupChanges,
  answer: EditedGroup,
});

export const removeGroup = call({
  method: 'DELETE',
  path: path('/server/sso/group/:groupId', { groupId: Id }),
  summary: 'Remove a group. Its users and sites stay; a site without a group is open to the whole network.',
  access: networkAdmin({ groupId: 'group' }),
  answer: Removed,
});

export const listGroupUsers = call({
  method: 'GET',
  path: listPath('/server/sso/group/users/:groupId', {}, '/:lastId/:serverName', {
    groupId: Id,
    serverName: NamedNetwork,
  }),
  summary: 'The users of a group, by full name.',
  access: networkAdmin({ groupId: 'group', serverName: 'name' }),
  query: Counted,
  answer: page('users', GroupUser, 'all_users'),
});

export const listUsersToAssign = call({
  method: 'GET',
  path: listPath('/server/sso/group/assign/users/:groupId', {}, '/:lastId/:serverId', { groupId: Id, serverId: Id }),
  summary: 'The users of the network who are not in a group yet, by full name.',
  access: networkAdmin({ groupId: 'group', serverId: 'id' }),
  query: Counted,
  answer: page('users', GroupUser, 'all_users'),
});

export const assignUser = call({
  method: 'POST',
  path: path('/server/sso/group/assign/users', {}),
  summary: 'Add a user to a group.',
  access: networkAdmin({ group_id: 'group', user_id: 'member' }),
  body: z.strictObject({ user_id: Id, group_id: Id }),
  answer: Done,
});

export const unassignUser = call({
  method: 'DELETE',
  path: path('/server/sso/group_user/:groupId/:userId', { groupId: Id, userId: Id }),
  summary: 'Remove a user from a group.',
  access: networkAdmin({ groupId: 'group', userId: 'member' }),
  answer: Done,
});

export const listGroupSites = call({
  method: 'GET',
  path: listPath('/server/sso/group/sites/:groupId', {}, '/:lastId/:serverId', { groupId: Id, serverId: Id }),
  summary: 'The sites of a group, by domain.',
  access: networkAdmin({ groupId: 'group', serverId: 'id' }),
  answer: page('sites', GroupSite, 'all_sites'),
});

export const listSitesToAssign = call({
  method: 'GET',
  path: listPath('/server/sso/group/assign/sites/:groupId', {}, '/:lastId/:serverId', { groupId: Id, serverId: Id }),
  summary: 'The sites that a group is not assigned to yet, by domain.',
  access: networkAdmin({ groupId: 'group', serverId: 'id' }),
  answer: page('sites', AssignableSite, 'all_sites'),
});
