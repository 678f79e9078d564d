import { networkAdmin } from '../access.ts';
import { call } from '../call.ts';
import { InZone, NamedNetwork } from '../fields.ts';
import { path } from '../paths.ts';
import { Overview, OverviewPeriod, SignInStatistics } from './overview.schemas.ts';

export const getOverview = call({
  method: 'GET',
  path: path('/server/sso/overview/:server', { server: NamedNetwork }),
  summary:
    'The state of a network: its people and their second factors, accounts that will be locked, its sites, certificates that expire soon, and email that waits.',
  access: networkAdmin({ server: 'name' }),
  answer: Overview,
});

export const getSignInStatistics = call({
  method: 'GET',
  path: path('/server/sso/overview_sign_ins/:server/:period', { server: NamedNetwork, period: OverviewPeriod }),
  summary:
    "The sign-ins of a network per hour or day, and why sign-ins failed. Hours and days are those of the time zone 'zone', by default UTC.",
  access: networkAdmin({ server: 'name' }),
  query: InZone,
  answer: SignInStatistics,
});
