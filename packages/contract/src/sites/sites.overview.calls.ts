import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { SiteOverview } from './sites.overview.schemas.ts';

export const getSiteOverview = call({
  method: 'GET',
  path: path('/server/sso/site_overview/:site_id', { site_id: Id }),
  summary: 'The state of single sign-on at a site: what is set up, its certificates and its last sign-ins.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteOverview,
});
