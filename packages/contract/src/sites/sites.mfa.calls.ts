import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { SiteMfa } from './sites.mfa.schemas.ts';

export const getSiteMfa = call({
  method: 'GET',
  path: path('/server/sso/site_mfa/:site_id', { site_id: Id }),
  summary:
    'Whether the network requires a second factor at a site, and how many people who may enter the site have none.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteMfa,
});
