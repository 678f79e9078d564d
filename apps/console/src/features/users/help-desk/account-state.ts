import type { User, UserSecurity } from '@opensocial/contract';
import { countOf, listOf, shortTime } from '../../../patterns/format/format.ts';

export type AccountState = { name: string; tone: 'good' | 'warn' | 'bad'; meaning: string };

/** The state of an account as one word, and what it means. */
export const accountState = (user: User, security: UserSecurity, network: string): AccountState => {
  const { everywhere, locked_until } = security;
  if (user.user_mode === 'Disable')
    return {
      name: 'Disabled',
      tone: 'bad',
      meaning:
        everywhere || user.invited ? 'Cannot sign in anywhere.' : `Cannot sign in to the applications of ${network}.`,
    };
  if (user.invited)
    return {
      name: 'Invited',
      tone: 'warn',
      meaning: 'The invitation has not been accepted yet. Its link works for one day.',
    };
  if (user.status === 'NonConfirmed')
    return {
      name: 'Not confirmed',
      tone: 'warn',
      meaning: 'The person has to confirm the account again before signing in.',
    };
  if (locked_until !== null)
    return {
      name: 'Locked',
      tone: 'bad',
      meaning: `Too many failed attempts. New browsers have to wait until ${shortTime(locked_until)}; browsers that the person has used before can sign in.`,
    };
  return { name: 'Active', tone: 'good', meaning: `Can sign in to ${network}.` };
};

/** The second factors of an account, or why they are not shown. */
export const factorsText = ({ everywhere, factors, passkeys, recovery_codes }: UserSecurity): string => {
  if (!everywhere) return 'Not shown, because this person also belongs to other networks.';
  if (factors.length === 0) return 'None';
  const names = factors.map((factor) => {
    if (factor === 'passkey') return countOf(passkeys, 'passkey', 'passkeys');
    return factor === 'totp' ? 'authenticator app' : 'email codes';
  });
  const text = listOf(names);
  const codes =
    factors.includes('passkey') || factors.includes('totp')
      ? ` · ${countOf(recovery_codes, 'recovery code', 'recovery codes')} left`
      : '';
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${codes}`;
};

export const groupsText = ({ groups }: User): string => countOf(groups.length, 'group', 'groups');

export const sitesText = ({ sites, more_sites }: UserSecurity): string =>
  more_sites ? `more than ${countOf(sites, 'site', 'sites')}` : countOf(sites, 'site', 'sites');

export const sessionsText = ({ sessions, everywhere }: UserSecurity, network: string): string => {
  if (sessions.length === 0) return everywhere ? 'Not signed in anywhere' : `Not signed in to ${network}`;
  return `${countOf(sessions.length, 'browser', 'browsers')}${everywhere ? '' : ` at ${network}`}`;
};
