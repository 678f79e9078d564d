import { z } from 'zod';
import { networkMember } from '../access.ts';
import { call } from '../call.ts';
import { DateRange, NamedNetwork } from '../fields.ts';
import { listPath } from '../paths.ts';
import { LoginStatus, LogPage } from './activity.schemas.ts';

/** A number is the id of one site, other text a part of the domain. */
const SiteText = z.string().trim().min(1).max(253);

export const listActivity = call({
  method: 'GET',
  path: listPath('/server/sso/activity/:server', { filter: LoginStatus, site: SiteText, time: DateRange }, '/:lastid', {
    server: NamedNetwork,
  }),
  summary:
    "The login log of a network, newest first. A user who does not own it sees their own lines. 'site' is a site's id or a part of its domain.",
  access: networkMember({ server: 'name' }),
  answer: LogPage,
});
