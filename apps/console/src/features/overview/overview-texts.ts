import type { OverviewPeriod, SignInStatistics } from '@opensocial/contract';
import { clockTime, hourInZone, longDate, shortDate } from '../../patterns/format/format.ts';

export const periodLabels: Readonly<Record<OverviewPeriod, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
};

const reasons: Readonly<Record<string, string>> = {
  'wrong password': 'Wrong password',
  'unknown address': 'No account with this email address',
  'account locked': 'Locked after wrong passwords',
  'account not confirmed': 'Account not confirmed yet',
  'account disabled': 'Account disabled',
  'account not used for too long': 'Account disabled after a long time without use',
  'account gone': 'Account deleted meanwhile',
  'not a member of the network': 'Not a member of the network',
  'disabled in the network': 'Disabled in this network',
  'site disabled': 'Site disabled',
  'site closed': 'Site closed',
  'not in a group of the site': 'Not in a group of the site',
  'no second factor set up': 'No second factor set up',
  'wrong code of the second factor': 'Wrong second-factor code',
  'login type not offered': 'Way to sign in not offered',
  'unknown passkey': 'Unknown passkey',
  'the application asked for another person': 'Application asked for another person',
  'the application asked for a stronger sign-in': 'Application asked for a stronger sign-in',
  linkedin: 'LinkedIn did not sign in',
  facebook: 'Facebook did not sign in',
  google: 'Google did not sign in',
  twitter: 'Twitter did not sign in',
  github: 'GitHub did not sign in',
};

/** A short name of a reason. An unknown reason is shown as it is, with a capital letter. */
export const reasonLabel = (reason: string): string =>
  reasons[reason] ?? (reason === '' ? 'Other' : reason.slice(0, 1).toUpperCase() + reason.slice(1));

type Unit = SignInStatistics['unit'];

/** The name of an hour or day on the axis of a chart. */
export const shortName = (start: string, unit: Unit): string => (unit === 'hour' ? clockTime : shortDate)(start);

/** The name of an hour or day in a table. With its time zone, the hour that occurs twice when summer time ends is clear. */
export const longName = (start: string, unit: Unit): string => (unit === 'hour' ? hourInZone : longDate)(start);
