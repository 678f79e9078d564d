import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Transaction } from '../../../database/connect.ts';
import { identitySessions, recoveryCodes, signIns, users } from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makePasskey, makeUser, password } from '../../../testing/app/builders.ts';
import {
  enterPassword,
  isSignedIn,
  mailedCode,
  newSignInUrl,
  postForm,
  proveAddress,
  resetSecondFactors,
  runWhileLocked,
  setPolicy,
  setupKeyIn,
  withTotp,
} from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { codeOf } from '../../../testing/services/authenticator.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});
const askFor = (...mfa_options: string[]) => setPolicy(testApp, { mfa: 'Enable', mfa_options });
beforeEach(() => resetSecondFactors(testApp, ['northlab', 'southlab', 'opensocial']));

const enter = async (browser: Browser, email: string, url?: string): Promise<Page> =>
  enterPassword(browser, url ?? (await newSignInUrl(testApp)), email);
const row = async (id: number) => (await testApp.db.select().from(users).where(eq(users.id, id)))[0];
const hasTotp = async (id: number) => (await row(id))?.totp_secret !== null;

/** Expects that no page shows a secret, and that no form sets up an authenticator. */
const expectNoSetup = async (browser: Browser, page: Page, userId: number) => {
  const shown = await browser.get(`${page.url.split('?')[0]}?with=setup`);
  expect(setupKeyIn(shown)).toBe('');
  expect(shown.html).not.toContain('Set up an authenticator app');
  await postForm(browser, page, 'verify', { factor: 'setup', code: '000000' });
  expect(await hasTotp(userId)).toBe(false);
};

describe('an authenticator is set up during a sign-in', () => {
  test('after a mailed code, by a person without a factor, at a network that requires one', async () => {
    await askFor('google');
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await enter(browser, user.email);
    expect(textOf(page.html)).toContain('We send a code to');
    await expectNoSetup(browser, page, user.id);
    const setup = await proveAddress(testApp, browser, page);
    expect(setup.html).toContain('QR code');
    const codes = await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) });
    expect(codes.html).toContain('Save your recovery codes');
    expect(isSignedIn(await browser.submit(codes))).toBe(true);
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(session?.mfa).toBe('totp');
  });

  test('not with a code that was mailed in another sign-in', async () => {
    await askFor('google');
    const user = await makeUser(testApp.db);
    const [browser, other] = [testApp.browser(), testApp.browser()];
    await proveAddress(testApp, browser, await enter(browser, user.email));
    await expectNoSetup(other, await enter(other, user.email), user.id);
  });

  test('not if a mailed code is accepted as the second factor', async () => {
    await askFor('google', 'email');
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await enter(browser, user.email);
    await expectNoSetup(browser, page, user.id);
    expect(isSignedIn(await proveAddress(testApp, browser, page))).toBe(true);
    expect(await hasTotp(user.id)).toBe(false);
  });

  test.for<[string, Partial<typeof users.$inferInsert>, (id: number) => Promise<unknown>]>([
    ['email codes', { email_mfa: true }, async () => undefined],
    ['a passkey', {}, (id) => makePasskey(testApp.db, { id })],
    [
      'recovery codes',
      {},
      (id) => testApp.db.insert(recoveryCodes).values({ user_id: id, code_hash: hashToken('abcdefghijkl') }),
    ],
  ])('not by a person who uses %s', async ([, draft, give]) => {
    await askFor('google');
    const user = await makeUser(testApp.db, draft);
    await give(user.id);
    const browser = testApp.browser();
    const page = await enter(browser, user.email);
    expect(page.url).toContain('/verify');
    await expectNoSetup(browser, page, user.id);
  });

  test('not at a network that the person is not a member of', async () => {
    await askFor('google');
    const [stranger, careful] = [
      await makeUser(testApp.db, { network: 'southlab' }),
      await makeUser(testApp.db, { network: 'southlab', email_mfa: true }),
    ];
    const browser = testApp.browser();
    const refused = await enter(browser, stranger.email);
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain("You don't have access to");
    const page = await enter(testApp.browser(), careful.email);
    expect(textOf(page.html)).toContain('We send a code to');
    expect(page.html).not.toContain('with=setup');
  });
});

describe('there is no other way to set up an authenticator', () => {
  const openSession = async (changes: Partial<typeof identitySessions.$inferInsert>) => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    expect(isSignedIn(await enter(browser, user.email))).toBe(true);
    await testApp.db.update(identitySessions).set(changes).where(eq(identitySessions.user_id, user.id));
    await askFor('google');
    return { user, browser };
  };

  test('an old session has to begin with the password', async () => {
    const { user, browser } = await openSession({ authenticated_at: new Date(Date.now() - 11 * 60_000) });
    const page = await browser.get(await newSignInUrl(testApp));
    expect(page.html).toContain('type="password"');
    const verify = await browser.submit(page, { email: user.email, password });
    expect((await proveAddress(testApp, browser, verify)).html).toContain('QR code');
  });

  test('a session of a social login has to begin with the password', async () => {
    const { browser } = await openSession({ login_from: 'google' });
    expect((await browser.get(await newSignInUrl(testApp))).html).toContain('type="password"');
  });

  test('a recent session continues with a code that is mailed in this sign-in', async () => {
    const { user, browser } = await openSession({ mfa: 'email' });
    const page = await browser.get(await newSignInUrl(testApp));
    expect(page.url).toContain('/verify');
    await expectNoSetup(browser, page, user.id);
    expect((await proveAddress(testApp, browser, page)).html).toContain('QR code');
  });

  test('a rule that is set during the step-up of an old session does not allow it', async () => {
    const { user, browser } = await openSession({ authenticated_at: new Date(Date.now() - 11 * 60_000) });
    await askFor('email');
    const page = await browser.get(await newSignInUrl(testApp));
    expect(page.url).toContain('/verify');
    const code = await mailedCode(testApp, browser, page);
    await askFor('google');
    const end = await postForm(browser, page, 'verify', { factor: 'email', code });
    expect(setupKeyIn(end)).toBe('');
    expect(end.html).not.toContain('QR code');
    expect(await hasTotp(user.id)).toBe(false);
  });

  test('restarting in another tab invalidates the page that shows the secret', async () => {
    await askFor('google');
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await browser.get(await newSignInUrl(testApp));
    const page = await browser.submit(first, { email: user.email, password });
    const setup = await proveAddress(testApp, browser, page);
    await postForm(browser, page, 'again');
    expect((await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) })).status).toBe(410);
    // The same person signs in again: the factor that was proven before does not count.
    await browser.submit(first, { email: user.email, password });
    expect((await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) })).html).toContain('Send me a code');
    expect(await hasTotp(user.id)).toBe(false);
  });

  test('the mailed code does not count for another person in the same sign-in', async () => {
    await askFor('google');
    const [attacker, victim] = [await makeUser(testApp.db), await makeUser(testApp.db)];
    const browser = testApp.browser();
    const first = await browser.get(await newSignInUrl(testApp));
    await proveAddress(testApp, browser, await browser.submit(first, { email: attacker.email, password }));
    const page = await browser.submit(first, { email: victim.email, password });
    await expectNoSetup(browser, page, victim.id);
  });

  test.for<[string, (tx: Transaction, id: number) => Promise<unknown>]>([
    ['a passkey', (tx, id) => makePasskey(tx, { id })],
    ['email codes', (tx, id) => tx.update(users).set({ email_mfa: true }).where(eq(users.id, id))],
  ])('%s that was added in the meantime counts', async ([, give]) => {
    await askFor('google');
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const setup = await proveAddress(testApp, browser, await enter(browser, user.email));
    const end = await runWhileLocked(
      testApp,
      sql`select from users where id = ${user.id} for no key update`,
      () => browser.submit(setup, { code: codeOf(setupKeyIn(setup)) }),
      (tx) => give(tx, user.id),
    );
    expect(await hasTotp(user.id), JSON.stringify(end)).toBe(false);
  });

  test('a sign-in at the main network needs the mailed code too', async () => {
    await askFor('google');
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await browser.get(await newSignInUrl(testApp, { auth_options: ['opensocial'] }));
    const main = await postForm(browser, first, 'with/opensocial');
    const page = await browser.submit(main, { email: user.email, password });
    await expectNoSetup(browser, page, user.id);
    const setup = await proveAddress(testApp, browser, page);
    expect(isSignedIn(await browser.submit(await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) })))).toBe(
      true,
    );
  });

  test('the mailed code before the set-up does not make a browser trusted', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'], mfa_remember_days: 30 });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await enter(browser, user.email);
    const code = await mailedCode(testApp, browser, page);
    const setup = await postForm(browser, page, 'verify', { factor: 'email', code, remember: 'yes' });
    expect(setup.html).toContain('QR code');
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('trusted-'))).toEqual([]);
    expect(isSignedIn(await enter(browser, user.email))).toBe(false);
  });
});

test('a forced sign-in requires the factor in a trusted browser too', async () => {
  await setPolicy(testApp, { mfa_remember_days: 30 });
  const { user, code } = await withTotp(testApp);
  const browser = testApp.browser();
  const page = await enter(browser, user.email);
  expect(isSignedIn(await browser.submit(page, { code: code(), remember: 'yes' }))).toBe(true);
  expect(isSignedIn(await browser.get(await newSignInUrl(testApp)))).toBe(true);
  const forced = await enter(browser, user.email, await newSignInUrl(testApp, {}, { forceAuthn: true }));
  expect(isSignedIn(forced)).toBe(false);
  expect(forced.url).toContain('/verify');
  expect(await testApp.db.$count(signIns, eq(signIns.user_id, user.id))).toBe(1);
});
