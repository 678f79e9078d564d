import { z } from 'zod';
import { inSession, networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { Id } from '../fields.ts';
import { path } from '../paths.ts';
import { SiteTest } from './site-tests.schemas.ts';

export const beginSiteTest = call({
  method: 'POST',
  path: path('/server/sso/site_test/:site_id', { site_id: Id }),
  summary:
    'Begin a test of the sign-in to a site. For ten minutes, the sign-ins of this person to this site in this browser are shown before they are answered.',
  access: inSession(networkAdmin({ site_id: 'site' })),
  /** `signs`: only the assertion is signed during the test, if the site is one whose responses have two signatures. */
  query: z.strictObject({ signs: z.literal('assertion').optional() }),
  answer: SiteTest,
});

export const getSiteTest = call({
  method: 'GET',
  path: path('/server/sso/site_test/:site_id', { site_id: Id }),
  summary: 'The last test that the person has begun at a site, with its result.',
  access: inSession(networkAdmin({ site_id: 'site' })),
  answer: z.object({ test: SiteTest.nullable() }),
});
