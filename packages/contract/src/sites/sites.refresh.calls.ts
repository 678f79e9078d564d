import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { DifferenceChoice, SiteRefresh } from './sites.refresh.schemas.ts';

const refreshPath = path('/server/sso/site_refresh/:site_id', { site_id: Id });
const access = networkAdmin({ site_id: 'samlSite' });

export const getSiteRefresh = call({
  method: 'GET',
  path: refreshPath,
  summary: 'How the metadata of a site was last read, and how it differs from the SSO parameters of the site.',
  access,
  answer: SiteRefresh,
});

export const refreshSite = call({
  method: 'POST',
  path: refreshPath,
  summary: 'Read the metadata of a site again, from its address. Nothing is changed.',
  access,
  answer: SiteRefresh,
});

export const applySiteRefresh = call({
  method: 'PUT',
  path: refreshPath,
  summary: 'Change the SSO parameters of a site to the chosen values of its metadata.',
  access: afterFreshSignIn(access),
  body: DifferenceChoice,
  answer: SiteRefresh,
});
