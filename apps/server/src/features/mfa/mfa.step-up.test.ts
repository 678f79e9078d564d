import {
  beginPasskey,
  createPasskey,
  createRecoveryCodes,
  disableMailMfa,
  enableMailMfa,
  getMfaSecret,
  removePasskey,
  resetMfa,
  submitToken,
} from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../database/connect.ts';
import { consoleSessions, identitySessions, type mfaMethods, passkeys, users } from '../../database/schema.ts';
import { newTotpSecret } from '../../secrets/totp.ts';
import { makePasskey, makeUser, signInto } from '../../testing/app/builders.ts';
import { runWhileLocked } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { codeOf } from '../../testing/services/authenticator.ts';
import { PasskeyDevice } from '../../testing/services/passkey-device.ts';
import { issueRecoveryCodes } from './mfa.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:25' });
});

type Proof = (typeof mfaMethods)[number] | null;
type Held = ('passkey' | 'totp' | 'email')[];

const longAgo = () => new Date(Date.now() - 11 * 60_000);

/** A user with these factors, in a session that was opened with this proof. */
const person = async (
  held: Held,
  mfa: Proof,
  { login_from = 'OpenSocial', at = new Date() }: { login_from?: string; at?: Date } = {},
) => {
  const { db, parts } = testApp;
  const user = await makeUser(db, {
    email_mfa: held.includes('email'),
    totp_secret: held.includes('totp') ? parts.vault.encrypt(newTotpSecret()) : null,
  });
  const passkey = held.includes('passkey') ? await makePasskey(db, user) : 0;
  if (held.includes('passkey') || held.includes('totp')) await db.transaction((tx) => issueRecoveryCodes(tx, user.id));
  const browser = await signInto(db, testApp.browser(), user, at, { mfa, login_from });
  return { user, passkey, call: testApp.as(browser) };
};
type Person = Awaited<ReturnType<typeof person>>;

const outcomeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'in',
    (error: { code: string }) => error.code,
  );

/** All calls that add or replace a factor. */
const additions: Record<string, (person: Person) => Promise<unknown>> = {
  'an authenticator': ({ call, user }) => call(getMfaSecret, { params: { username: user.email } }),
  'a code of an authenticator': ({ call, user }) =>
    call(submitToken, { body: { secret: 'none', token: '000000', email: user.email } }),
  'a passkey': ({ call }) => call(beginPasskey, {}),
  'recovery codes': ({ call, user }) => call(createRecoveryCodes, { body: { email: user.email } }),
  'email codes': ({ call, user }) => call(enableMailMfa, { body: { id: user.id, email: user.email } }),
};

/** Whether the proof was accepted: the call succeeded, or failed later because of the state of the factors. */
const isAdmitted = (outcome: string) => ['in', 'mfa_active', 'mfa_inactive'].includes(outcome);

describe.for(Object.entries(additions))('adding %s', ([, add]) => {
  test.for<[Held, Proof, boolean]>([
    [[], null, true],
    [[], 'device', true],
    [['email'], null, false],
    [['email'], 'device', false],
    [['email'], 'email', true],
    [['totp', 'email'], 'email', false],
    [['totp', 'email'], 'device', false],
    [['totp', 'email'], 'totp', true],
    [['totp'], 'recovery', true],
    [['passkey'], null, false],
    [['passkey', 'totp', 'email'], 'email', false],
    [['passkey', 'totp', 'email'], 'totp', false],
    [['passkey', 'totp', 'email'], 'passkey', true],
    [['passkey'], 'recovery', true],
  ])('with %s after a sign-in that proved %s: %s', async ([held, mfa, isEnough]) => {
    const outcome = await outcomeOf(add(await person(held, mfa)));
    expect(isEnough ? isAdmitted(outcome) : outcome === 'reauth_required', outcome).toBe(true);
  });

  test('needs a fresh sign-in with email and password', async () => {
    expect(await outcomeOf(add(await person([], null, { at: longAgo() })))).toBe('reauth_required');
    expect(await outcomeOf(add(await person([], null, { login_from: 'google' })))).toBe('reauth_required');
    expect(await outcomeOf(add(await person(['totp'], 'totp', { login_from: 'google' })))).toBe('reauth_required');
  });

  test('does not become fresh by another sign-in of the browser, nor with an ended session', async () => {
    const stolen = await person([], null, { at: longAgo() });
    await testApp.db
      .update(identitySessions)
      .set({ authenticated_at: new Date() })
      .where(eq(identitySessions.user_id, stolen.user.id));
    expect(await outcomeOf(add(stolen))).toBe('reauth_required');
    const ended = await person([], null);
    await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, ended.user.id));
    expect(await outcomeOf(add(ended))).toBe('reauth_required');
  });
});

test.for<[Held, Proof, object, string]>([
  [['passkey', 'totp'], 'totp', {}, 'Sign in again and confirm with your passkey. A recovery code works too.'],
  [['totp'], 'email', {}, 'Sign in again and confirm with your authenticator app. A recovery code works too.'],
  [['email'], 'device', {}, 'Sign in again and confirm with a code by email.'],
  [['email'], 'email', { login_from: 'google' }, 'Sign in again with your password and confirm with a code by email.'],
  [[], null, { login_from: 'google' }, 'Sign in again with your password.'],
  [
    [],
    null,
    { at: longAgo() },
    'This change requires a sign-in within the last ten minutes. Sign in again with your password.',
  ],
])('the refusal names what is needed: %s %s', async ([held, mfa, how, message]) => {
  const { call } = await person(held, mfa, how);
  await expect(call(beginPasskey, {})).rejects.toMatchObject({ status: 401, code: 'reauth_required', message });
});

describe('a factor that is added meanwhile counts', () => {
  const hold = ({ user }: Person) => sql`select from users where id = ${user.id} for no key update`;
  const setTotp = (tx: Transaction, { user }: Person) =>
    tx
      .update(users)
      .set({ totp_secret: testApp.parts.vault.encrypt(newTotpSecret()) })
      .where(eq(users.id, user.id));

  test('before a passkey is stored', async () => {
    const one = await person([], null);
    const passkey = new PasskeyDevice().make(await one.call(beginPasskey, {}));
    const end = await runWhileLocked(
      testApp,
      hold(one),
      () => one.call(createPasskey, { body: { name: 'mine', passkey } }),
      (tx) => setTotp(tx, one),
    );
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'reauth_required' } });
    expect(await testApp.db.$count(passkeys, eq(passkeys.user_id, one.user.id))).toBe(0);
  });

  test('before an authenticator is stored', async () => {
    const one = await person([], null);
    const { email } = one.user;
    const { key } = await one.call(getMfaSecret, { params: { username: email } });
    const end = await runWhileLocked(
      testApp,
      hold(one),
      () => one.call(submitToken, { body: { secret: key, token: codeOf(key), email } }),
      (tx) => makePasskey(tx, one.user),
    );
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'reauth_required' } });
  });

  test('before recovery codes are replaced', async () => {
    const one = await person(['totp'], 'totp');
    const end = await runWhileLocked(
      testApp,
      hold(one),
      () => one.call(createRecoveryCodes, { body: { email: one.user.email } }),
      (tx) => makePasskey(tx, one.user),
    );
    expect(end).toMatchObject({ status: 'rejected', reason: { code: 'reauth_required' } });
  });
});

test('a factor that was just set up counts as proven: the next one needs no other sign-in', async () => {
  const { call, user } = await person([], null);
  const { email } = user;
  const { key } = await call(getMfaSecret, { params: { username: email } });
  await call(submitToken, { body: { secret: key, token: codeOf(key), email } });
  const passkey = new PasskeyDevice().make(await call(beginPasskey, {}));
  await call(createPasskey, { body: { name: 'mine', passkey } });
  expect((await call(createRecoveryCodes, { body: { email } })).recovery_codes).toHaveLength(10);
  // This does not apply to another browser, where it was not proven.
  const other = testApp.as(await signInto(testApp.db, testApp.browser(), user));
  await expect(other(beginPasskey, {})).rejects.toMatchObject({ code: 'reauth_required' });
});

describe('a weaker proof does not remove a stronger factor', () => {
  const removals: Record<string, (person: Person) => Promise<unknown>> = {
    passkey: ({ call, passkey }) => call(removePasskey, { params: { id: passkey } }),
    totp: ({ call, user }) => call(resetMfa, { body: { email: user.email } }),
    email: ({ call, user }) => call(disableMailMfa, { body: { id: user.id, email: user.email } }),
  };
  test.for<[keyof typeof removals, Proof, string]>([
    ['passkey', 'email', 'reauth_required'],
    ['passkey', 'device', 'reauth_required'],
    ['passkey', null, 'reauth_required'],
    ['passkey', 'totp', 'reauth_required'],
    ['passkey', 'recovery', 'in'],
    ['passkey', 'passkey', 'in'],
    ['totp', 'email', 'reauth_required'],
    ['totp', 'device', 'reauth_required'],
    ['totp', null, 'reauth_required'],
    ['totp', 'totp', 'in'],
    ['totp', 'recovery', 'in'],
    ['totp', 'passkey', 'in'],
    ['email', null, 'reauth_required'],
    ['email', 'device', 'reauth_required'],
    ['email', 'email', 'in'],
    ['email', 'totp', 'in'],
  ])('%s, after a sign-in that proved %s: %s', async ([factor, mfa, expected]) => {
    const one = await person(['passkey', 'totp', 'email'], mfa);
    expect(await outcomeOf(removals[factor]?.(one) ?? Promise.reject(new Error('No such factor.')))).toBe(expected);
  });

  test.for(Object.keys(removals))('%s, after an old sign-in', async (factor) => {
    const one = await person(['passkey', 'totp', 'email'], 'passkey', { at: longAgo() });
    expect(await outcomeOf(removals[factor]?.(one) ?? Promise.reject(new Error('No such factor.')))).toBe(
      'reauth_required',
    );
  });
});

test('an ended session cannot add a factor', async () => {
  const one = await person([], null);
  await testApp.db.delete(consoleSessions).where(eq(consoleSessions.user_id, one.user.id));
  await expect(one.call(beginPasskey, {})).rejects.toMatchObject({ code: 'auth_required' });
});
