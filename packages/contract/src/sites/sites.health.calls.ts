import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { SiteHealth, SiteHealthChanges } from './sites.health.schemas.ts';

const healthPath = path('/server/sso/site_health/:site_id', { site_id: Id });
const access = networkAdmin({ site_id: 'site' });

export const getSiteHealth = call({
  method: 'GET',
  path: healthPath,
  summary: 'Whether a site works: its address, its metadata, its certificates and its sign-ins.',
  access,
  answer: SiteHealth,
});

export const checkSite = call({
  method: 'POST',
  path: healthPath,
  summary: 'Check now whether the server can reach a site.',
  access,
  answer: SiteHealth,
});

export const changeSiteHealth = call({
  method: 'PUT',
  path: healthPath,
  summary: 'Set whether the server checks that it can reach a site, and whether the tile says when it cannot.',
  access,
  body: SiteHealthChanges,
  answer: SiteHealth,
});
