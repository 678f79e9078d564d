import type { LineDetails } from '@opensocial/contract';

const failures: Readonly<Record<string, string>> = {
  'wrong password': 'The password was wrong.',
  'unknown address': 'No member of this network has this email address.',
  'account locked': 'The account was locked after too many failed attempts.',
  'account not confirmed': 'The account was not confirmed yet.',
  'account disabled': 'The account was disabled.',
  'account not used for too long': 'The account had been disabled, because nobody had used it for a long time.',
  'account gone': 'The account had just been deleted.',
  'not a member of the network': 'The account did not belong to the network.',
  'site disabled': 'The site was disabled.',
  'site closed': 'The site was closed.',
  'not in a group of the site': 'The account was not in a group of the site.',
  'wrong code of the second factor': 'The second-factor code was wrong.',
  'login type not offered': 'The site did not offer this way to sign in.',
};

const factors: Readonly<Record<string, string>> = {
  totp: 'Code from an authenticator app',
  email: 'Code sent by email',
  recovery: 'Recovery code',
  passkey: 'Passkey',
  device: 'Not asked: the browser is trusted',
};

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The sign-in methods of a line, for example 'password, totp'. The first is the main method. */
const successText = (reason: string): string => {
  const [method = '', ...details] = reason.split(', ');
  const linked = details.find((part) => part.startsWith('linked to '));
  const signedIn =
    method === 'session'
      ? 'Already signed in'
      : method === 'passkey'
        ? 'Signed in with a passkey'
        : `Signed in with ${method === 'password' ? 'the password' : capital(method)}`;
  return linked ? `${signedIn}; the account is now ${linked}.` : `${signedIn}.`;
};

/** The reason for the result as a sentence. An unknown reason is shown as it is. */
export const reasonText = ({ login_status, reason }: Pick<LineDetails, 'login_status' | 'reason'>): string =>
  login_status === 'Success' ? successText(reason) : (failures[reason] ?? `${capital(reason)}.`);

export const factorText = ({ mfa, login_status }: Pick<LineDetails, 'mfa' | 'login_status'>): string => {
  if (mfa === '') return 'Not asked for';
  const name = factors[mfa] ?? capital(mfa);
  return login_status === 'Success' ? name : `${name}, failed`;
};

/** Lines that are older than session records have no session state. */
export const sessionText = ({ session, login_status }: Pick<LineDetails, 'session' | 'login_status'>): string => {
  if (session === 'none') return login_status === 'Success' ? 'Not known' : 'No session was started';
  return session === 'open' ? 'Still open' : 'Ended';
};
