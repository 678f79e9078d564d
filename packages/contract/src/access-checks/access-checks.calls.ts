import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { AccessCheck } from './access-checks.schemas.ts';

export const explainAccess = call({
  method: 'GET',
  path: path('/server/sso/access/:site_id/:user_id', { site_id: Id, user_id: Id }),
  summary:
    'Whether a user may enter a site, with every step of the decision of a sign-in. The ways to sign in and the second factors of a person who belongs to other networks too are not disclosed.',
  access: networkAdmin({ site_id: 'site', user_id: 'member' }),
  answer: AccessCheck,
});
