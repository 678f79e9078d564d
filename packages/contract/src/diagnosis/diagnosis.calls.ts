import { z } from 'zod';
import { afterFreshSignIn, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Done, Id, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import { ErrorReference, FixRequest, ShownErrorPage, SiteDiagnosis, UnknownApplication } from './diagnosis.schemas.ts';

export const getSiteDiagnosis = call({
  method: 'GET',
  path: path('/server/sso/site_diagnosis/:site_id', { site_id: Id }),
  summary: 'The recent sign-ins at a site, why they failed, and what differs from its parameters.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteDiagnosis,
});

export const fixSite = call({
  method: 'POST',
  path: path('/server/sso/site_diagnosis/:site_id/fix/:exchange_id', { site_id: Id, exchange_id: Id }),
  summary:
    'Change the parameter of a site to the value that its application has sent, if the application has proven it.',
  access: afterFreshSignIn(networkAdmin({ site_id: 'site' })),
  body: FixRequest,
  answer: SiteDiagnosis,
});

export const watchSite = call({
  method: 'POST',
  path: path('/server/sso/site_diagnosis/:site_id/watch', { site_id: Id }),
  summary: 'Keep more exchanges of a site for ten minutes.',
  access: networkAdmin({ site_id: 'site' }),
  answer: SiteDiagnosis,
});

export const findErrorReference = call({
  method: 'GET',
  path: path('/server/sso/error_reference/:server_name/:reference', {
    server_name: NamedNetwork,
    reference: ErrorReference,
  }),
  summary:
    'The error page with a reference number that a person saw while signing in to a site of the network. Numbers are kept for 30 days.',
  access: networkAdmin({ server_name: 'name' }),
  answer: z.object({ page: ShownErrorPage.nullable() }),
});

export const listUnknownApplications = call({
  method: 'GET',
  path: path('/server/sso/unknown_applications/:server_name', { server_name: NamedNetwork }),
  summary: 'Applications that sent requests to a network in which they are not registered, the last one first.',
  access: networkAdmin({ server_name: 'name' }),
  answer: z.object({ applications: z.array(UnknownApplication) }),
});

export const dismissUnknownApplication = call({
  method: 'DELETE',
  path: path('/server/sso/unknown_applications/:server_name/:id', { server_name: NamedNetwork, id: Id }),
  summary: 'Remove an application from the list of those that are not registered, until it sends another request.',
  access: networkAdmin({ server_name: 'name' }),
  answer: Done,
});
