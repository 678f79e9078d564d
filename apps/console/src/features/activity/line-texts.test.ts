import { expect, test } from 'vitest';
import { factorText, reasonText, sessionText } from './line-texts.ts';

test.each([
  ['Success', 'session', 'Already signed in.'],
  ['Success', 'password', 'Signed in with the password.'],
  ['Success', 'password, totp', 'Signed in with the password.'],
  ['Success', 'google, linked to google', 'Signed in with Google; the account is now linked to google.'],
  ['Success', 'passkey', 'Signed in with a passkey.'],
  ['Failed', 'wrong password', 'The password was wrong.'],
  ['Failed', 'google: no account', 'Google: no account.'],
] as const)('§2.13 the reason of a line is a sentence: %s, %s', (login_status, reason, text) => {
  expect(reasonText({ login_status, reason })).toBe(text);
});

test('§2.13 the second factor is named, even if it failed', () => {
  expect(factorText({ mfa: '', login_status: 'Success' })).toBe('Not asked for');
  expect(factorText({ mfa: 'totp', login_status: 'Success' })).toBe('Code from an authenticator app');
  expect(factorText({ mfa: 'email', login_status: 'Failed' })).toBe('Code sent by email, failed');
});

test('§2.13 a session is open, ended, missing, or older than the record of sessions', () => {
  expect(sessionText({ session: 'open', login_status: 'Success' })).toBe('Still open');
  expect(sessionText({ session: 'ended', login_status: 'Success' })).toBe('Ended');
  expect(sessionText({ session: 'none', login_status: 'Failed' })).toBe('No session was started');
  expect(sessionText({ session: 'none', login_status: 'Success' })).toBe('Not known');
});
