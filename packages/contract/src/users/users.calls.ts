import { z } from 'zod';
import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id } from '../fields.ts';
import { page } from '../paging.ts';
import { listPath, path } from '../paths.ts';
import { SiteUser } from './users.schemas.ts';

export const listSiteUsers = call({
  method: 'GET',
  path: listPath('/server/sso/site/users/:siteId', {}, '/:lastid/:serverId', { siteId: Id, serverId: Id }),
  summary: "The users of a site's groups; of a site without groups, all users of the network.",
  access: networkAdmin({ siteId: 'site', serverId: 'id' }),
  answer: page('users', SiteUser, 'all_users'),
});

export const listFirstSiteUsers = call({
  method: 'GET',
  path: path('/server/sso/site/users/:siteId/:serverId', { siteId: Id, serverId: Id }),
  summary: 'The first page of the same users as a flat list.',
  access: networkAdmin({ siteId: 'site', serverId: 'id' }),
  answer: z.array(SiteUser),
});

export const delinkSiteUser = call({
  method: 'DELETE',
  path: path('/server/sso/site_delink/:userId/:siteId/:serverId', { userId: Id, siteId: Id, serverId: Id }),
  summary: 'Take a visited site off the desktop of a user. Only in a network whose mode is Visited.',
  access: networkAdmin({ userId: 'member', siteId: 'site', serverId: 'id' }),
  answer: Done,
});
