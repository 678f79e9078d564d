import { endUserSessions, getSession, getUserSecurity, resetUserFactors } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, networkSettings, recoveryCodes, users } from '../../database/schema.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makePasskey, makeSite, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { isSignedIn } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let call: ReturnType<TestApp['as']>;
let stale: ReturnType<TestApp['as']>;
const starts: Record<string, string> = {};
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  stale = testApp.as(await signInto(testApp.db, testApp.browser(), owner, new Date(Date.now() - 9 * 3_600_000)));
  for (const network of ['northlab', 'southlab'])
    starts[network] =
      `/saml/${network}/start/${(await makeSite(testApp.db, { network, site_name: `App of ${network}` })).id}`;
});

const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];
const asked = (user: User) => ({ params: { user_id: user.id, server_id: north.id } });
const about = (user: User) => ({ body: { user_id: user.id, server_id: north.id } });

/** Opens the application of a network in a browser. Returns whether that needed a password. */
const opens = async (
  browser: Browser,
  network: 'northlab' | 'southlab',
  user?: User,
): Promise<'session' | 'password' | 'no'> => {
  const page = await browser.get(starts[network] ?? '');
  if (isSignedIn(page)) return 'session';
  return user && isSignedIn(await browser.submit(page, { email: user.email, password })) ? 'password' : 'no';
};

describe("a member's sessions", () => {
  test('are shown to an owner with the applications of this network, and no others', async () => {
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const browser = testApp.browser();
    expect(await opens(browser, 'southlab', guest)).toBe('password');
    expect(await call(getUserSecurity, asked(guest))).toMatchObject({
      sessions: [],
      everywhere: false,
      factors: [],
      may_reset: false,
    });
    expect(await opens(browser, 'northlab')).toBe('session');
    expect(await call(getUserSecurity, asked(guest))).toMatchObject({ sessions: [{ sites: ['App of northlab'] }] });
  });

  test('end in this network; the sessions at another one continue', async () => {
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const browser = testApp.browser();
    await opens(browser, 'southlab', guest);
    await opens(browser, 'northlab');
    const mails = await mailsQueuedBy(testApp, () => call(endUserSessions, about(guest)));
    expect(mails).toMatchObject([{ to: guest.email, subject: 'You were signed out by an administrator' }]);
    expect(await lastAudit()).toMatchObject({ description: `delete user ${guest.email} sessions` });
    expect((await call(getUserSecurity, asked(guest))).sessions).toEqual([]);
    expect(await opens(browser, 'southlab')).toBe('session');
    expect(await opens(browser, 'northlab', guest)).toBe('password');
    expect(await opens(browser, 'northlab')).toBe('session');
  });

  test('end everywhere if this is their only network', async () => {
    const user = await makeUser(testApp.db);
    const browser = await signInto(testApp.db, testApp.browser(), user);
    await opens(browser, 'northlab', user);
    expect(await call(getUserSecurity, asked(user))).toMatchObject({ everywhere: true, sessions: [{}, {}] });
    await call(endUserSessions, about(user));
    expect((await testApp.as(browser)(getSession, {})).user).toBe('no session');
    expect(await opens(browser, 'northlab')).toBe('no');
  });

  test('are not ended from a session that is nine hours old, nor by the owner of another network', async () => {
    const user = await makeUser(testApp.db);
    await expect(stale(endUserSessions, about(user))).rejects.toMatchObject({ code: 'reauth_required' });
    const elsewhere = await makeUser(testApp.db, { network: 'southlab' });
    await expect(call(endUserSessions, about(elsewhere))).rejects.toMatchObject({ status: 404 });
    await expect(call(getUserSecurity, asked(elsewhere))).rejects.toMatchObject({ status: 404 });
  });
});

describe('a lost second factor', () => {
  const protectedUser = async (draft: Parameters<typeof makeUser>[1] = {}) => {
    const user = await makeUser(testApp.db, {
      totp_secret: testApp.parts.vault.encrypt('secret'),
      email_mfa: true,
      ...draft,
    });
    await makePasskey(testApp.db, user);
    await testApp.db.insert(recoveryCodes).values({ user_id: user.id, code_hash: Buffer.from('code') });
    return user;
  };

  test('is reset by an owner: all factors are removed, the person is signed out and notified', async () => {
    const user = await protectedUser();
    const theirs = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    expect(await call(getUserSecurity, asked(user))).toMatchObject({
      factors: ['passkey', 'totp', 'email'],
      may_reset: true,
    });
    const mails = await mailsQueuedBy(testApp, () => call(resetUserFactors, about(user)));
    expect(mails).toMatchObject([{ to: user.email, subject: 'Your second factor was reset' }]);
    expect(await call(getUserSecurity, asked(user))).toMatchObject({ factors: [], may_reset: false });
    expect(await testApp.db.$count(recoveryCodes, eq(recoveryCodes.user_id, user.id))).toBe(0);
    expect((await theirs(getSession, {})).user).toBe('no session');
    expect(await lastAudit()).toMatchObject({ old_data: { factors: ['passkey', 'totp', 'email'] } });
    await expect(call(resetUserFactors, about(user))).rejects.toMatchObject({ status: 409 });
  });

  test('of a person who belongs to other networks too cannot be reset by one of their owners', async () => {
    const shared = await protectedUser({ alsoIn: ['southlab'] });
    const guest = await protectedUser({ network: 'southlab', alsoIn: ['northlab'] });
    for (const user of [shared, guest]) {
      expect(await call(getUserSecurity, asked(user))).toMatchObject({ factors: [], may_reset: false });
      await expect(call(resetUserFactors, about(user))).rejects.toMatchObject({
        status: 403,
        code: 'factors_personal',
      });
      expect((await testApp.db.select().from(users).where(eq(users.id, user.id)))[0]?.totp_secret).not.toBeNull();
    }
  });

  test('is not reset from a session that is nine hours old, and not for oneself', async () => {
    const user = await protectedUser();
    await expect(stale(resetUserFactors, about(user))).rejects.toMatchObject({ code: 'reauth_required' });
    const owner = await protectedUser({ owns: ['northlab'] });
    const own = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
    await expect(own(resetUserFactors, about(owner))).rejects.toMatchObject({ code: 'user_self' });
  });
});

describe('the lifetime of a session', () => {
  const set = (network_id: number, limits: Partial<typeof networkSettings.$inferInsert>) =>
    testApp.db.update(networkSettings).set(limits).where(eq(networkSettings.network_id, network_id));
  const age = (user: User, column: 'last_seen_at' | 'authenticated_at', minutes: number) =>
    testApp.pool.query(
      `update identity_sessions set ${column} = ${column} - make_interval(mins => $1) where user_id = $2`,
      [minutes, user.id],
    );

  test('is decided by each network for its own sites', async () => {
    await set(north.id, { session_idle_minutes: 5, session_hours: 1 });
    await set((await networkNamed(testApp.db, 'southlab')).id, { session_idle_minutes: 240, session_hours: 48 });
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const browser = testApp.browser();
    expect(await opens(browser, 'southlab', user)).toBe('password');
    await age(user, 'last_seen_at', 6);
    expect(await opens(browser, 'northlab')).toBe('no');
    expect(await opens(browser, 'southlab')).toBe('session');
    await age(user, 'last_seen_at', 200);
    expect(await opens(browser, 'southlab')).toBe('session');
    await age(user, 'authenticated_at', 24 * 60);
    expect(await opens(browser, 'southlab')).toBe('session');
    await age(user, 'authenticated_at', 25 * 60);
    expect(await opens(browser, 'southlab')).toBe('no');
  });

  test('in the console is the stricter of the main network and the home network', async () => {
    const user = await makeUser(testApp.db);
    const browser = await signInto(testApp.db, testApp.browser(), user);
    const theirs = testApp.as(browser);
    const idle = (minutes: number) =>
      testApp.pool.query(
        'update console_sessions set last_seen_at = now() - make_interval(mins => $1) where user_id = $2',
        [minutes, user.id],
      );
    await set(north.id, { session_idle_minutes: 10, session_hours: 10 });
    await idle(9);
    expect((await theirs(getSession, {})).user).not.toBe('no session');
    await idle(11);
    expect((await theirs(getSession, {})).user).toBe('no session');
    await set(north.id, { session_idle_minutes: 600 });
    await idle(31);
    expect((await theirs(getSession, {})).user).toBe('no session');
  });
});
