import { getMfaSecret, listDevices, removeDevice } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, consoleSessions, identitySessions, users } from '../../../database/schema.ts';
import { newTotpSecret, totpCode } from '../../../secrets/totp.ts';
import type { Browser } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import {
  enterPassword,
  isSignedIn,
  newSignInUrl,
  postForm,
  proveAddress,
  resetSecondFactors,
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
beforeEach(() => resetSecondFactors(testApp, ['northlab', 'southlab']));

const enter = async (browser: Browser, email: string) => enterPassword(browser, await newSignInUrl(testApp), email);
const intoConsole = async (browser: Browser, email: string) =>
  browser.submit(await browser.submit(await browser.get('/server/saml/login'), { email, password }));

const countSessions = (userId: number) => testApp.db.$count(identitySessions, eq(identitySessions.user_id, userId));

describe('a session that was left open', () => {
  const growOld = async (userId: number) => {
    const old = { authenticated_at: new Date(Date.now() - 3 * 3_600_000) };
    await testApp.db.update(consoleSessions).set(old).where(eq(consoleSessions.user_id, userId));
    await testApp.db.update(identitySessions).set(old).where(eq(identitySessions.user_id, userId));
  };

  test('cannot set up an authenticator to become recent', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await intoConsole(browser, user.email);
    await growOld(user.id);
    const call = testApp.as(browser);
    await expect(call(getMfaSecret, { params: { username: user.email } })).rejects.toMatchObject({
      code: 'reauth_required',
    });
  });

  test('cannot set one up at a network that requires it, and has to begin with the password', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await intoConsole(browser, user.email);
    await growOld(user.id);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    browser.cookies.delete('opensocial_session');
    const page = await browser.get('/server/saml/login');
    expect(page.html).toContain('type="password"');
    expect(page.url).not.toContain('/verify');
  });

  test('does not become recent because the browser is trusted', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await intoConsole(browser, user.email);
    const identity = browser.cookies.get('opensocial_identity') ?? '';
    const [opened] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    // The session has no second factor. The factor is set up in another browser, and this browser becomes trusted with it.
    const secret = newTotpSecret();
    const totp_secret = testApp.parts.vault.encrypt(secret);
    await testApp.db.update(users).set({ totp_secret }).where(eq(users.id, user.id));
    await setPolicy(testApp, { mfa_remember_days: 30 });
    browser.cookies.delete('opensocial_identity');
    const page = await enter(browser, user.email);
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    expect(isSignedIn(await browser.submit(page, { code, remember: 'yes' }))).toBe(true);
    browser.cookies.set('opensocial_identity', identity);
    await growOld(user.id);
    expect(isSignedIn(await browser.get(await newSignInUrl(testApp)))).toBe(true);
    const [after] = await testApp.db
      .select()
      .from(identitySessions)
      .where(eq(identitySessions.id, opened?.id ?? 0));
    expect(Date.now() - (after?.authenticated_at.getTime() ?? 0)).toBeGreaterThan(3_600_000);
  });
});

describe('a step-up ends with the session that began it', () => {
  test('after a sign-out in the same browser', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await intoConsole(browser, user.email);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const page = await browser.get(await newSignInUrl(testApp));
    expect(page.url).toContain('/verify');
    await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    expect((await browser.get(page.url)).status).toBe(410);
    expect((await browser.submit(page, { code: codeOf(setupKeyIn(page)) })).status).toBe(410);
    expect(await countSessions(user.id)).toBe(0);
  });

  test('after a sign-out from another browser', async () => {
    const user = await makeUser(testApp.db);
    const [stolen, own] = [testApp.browser(), testApp.browser()];
    await intoConsole(stolen, user.email);
    await intoConsole(own, user.email);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const page = await stolen.get(await newSignInUrl(testApp));
    expect(page.url).toContain('/verify');
    const call = testApp.as(own);
    const { devices } = await call(listDevices, {});
    await call(removeDevice, { params: { id: devices.find(({ current }) => !current)?.id ?? 0 } });
    expect((await stolen.submit(page, { code: codeOf(setupKeyIn(page)) })).status).toBe(410);
    expect(await countSessions(user.id)).toBe(1);
  });
});

describe('a proof that is accepted at one network', () => {
  test('is not accepted at another: a trusted browser', async () => {
    const { user, code } = await withTotp(testApp, { alsoIn: ['southlab'] });
    await setPolicy(testApp, { mfa_remember_days: 30 }, 'southlab');
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const [lax, strict] = [await makeSite(testApp.db, { network: 'southlab' }), await makeSite(testApp.db)];
    const browser = testApp.browser();
    const signInToLax = async () =>
      browser.submit(await browser.get(`/saml/southlab/start/${lax.id}`), { email: user.email, password });
    expect(isSignedIn(await browser.submit(await signInToLax(), { code: code(), remember: 'yes' }))).toBe(true);
    browser.cookies.delete('opensocial_identity');
    expect(isSignedIn(await signInToLax())).toBe(true);
    expect(isSignedIn(await browser.get(`/saml/northlab/start/${strict.id}`))).toBe(false);
  });

  test('is not accepted at another: a mailed code, if only an authenticator is permitted', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['email'] }, 'southlab');
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const [north, south] = [await makeSite(testApp.db), await makeSite(testApp.db, { network: 'southlab' })];
    const browser = testApp.browser();
    const first = await browser.get(`/saml/southlab/start/${south.id}`);
    const page = await browser.submit(first, { email: user.email, password });
    const [mail] = await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'));
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    expect(isSignedIn(await postForm(browser, page, 'verify', { factor: 'email', code }))).toBe(true);
    const asked = await browser.get(`/saml/northlab/start/${north.id}`);
    expect(asked.url).toContain('/verify');
    const setup = await proveAddress(testApp, browser, asked);
    const codes = await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) });
    expect(isSignedIn(await browser.submit(codes))).toBe(true);
  });

  test('is not accepted any more after the network has switched trusted browsers off', async () => {
    const { user, code } = await withTotp(testApp);
    await setPolicy(testApp, { mfa_remember_days: 30 });
    const browser = testApp.browser();
    const page = await enter(browser, user.email);
    expect(isSignedIn(await browser.submit(page, { code: code(), remember: 'yes' }))).toBe(true);
    await setPolicy(testApp, { mfa_remember_days: 0 });
    browser.cookies.delete('opensocial_identity');
    expect(isSignedIn(await enter(browser, user.email))).toBe(false);
  });
});

describe('an authenticator that is set up during a sign-in', () => {
  test('has a secret that no other sign-in has shown', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const show = async () => {
      const browser = testApp.browser();
      return setupKeyIn(await proveAddress(testApp, browser, await enter(browser, user.email)));
    };
    const shown = [await show(), await show(), await show()];
    expect(shown.every((key) => /^[A-Z2-7]{32}$/.test(key))).toBe(true);
    expect(new Set(shown).size).toBe(3);
  });

  test('is reported by mail and recorded in the audit log', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await proveAddress(testApp, browser, await enter(browser, user.email));
    const mails = await mailsQueuedBy(testApp, () => browser.submit(page, { code: codeOf(setupKeyIn(page)) }));
    expect(await testApp.db.$count(auditRecords, eq(auditRecords.actor_id, user.id))).toBe(1);
    expect(mails.map(({ subject }) => subject)).toContain('Your second factor was changed');
  });
});
