import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id } from '../fields.ts';
import { Cursor } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { Group, GroupPage } from './groups.schemas.ts';

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
  summary: 'Take a site out of a group.',
  access: networkAdmin({ group_id: 'group', site_id: 'site' }),
  answer: Done,
});

export const listGroupOptions = call({
  method: 'GET',
  path: path('/server/sso/get_groups/:server_id/:lastid', { server_id: Id, lastid: Cursor }),
  summary: 'The groups of a network to choose from, by name.',
  access: networkAdmin({ server_id: 'id' }),
  answer: z.object({ groups: z.array(Group) }),
});
