import { hash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, signIns, throttles } from '../../../database/schema.ts';
import { hashPassword } from '../../../secrets/passwords.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeUser, password } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import {
  isSignedIn,
  newSignInUrl,
  postForm,
  proveAddress,
  runWhileLocked,
  setPolicy,
  setupKeyIn,
  withTotp,
} from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { storePassword } from '../../users/users.passwords.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const askFor = (option: string) => setPolicy(testApp, { mfa: 'Enable', mfa_options: [option] });
beforeEach(() => setPolicy(testApp, { mfa: 'Disable' }));

const firstPage = async (browser: Browser, draft: Parameters<typeof newSignInUrl>[1] = {}): Promise<Page> =>
  browser.get(await newSignInUrl(testApp, draft));

/** Successful sign-ins that used the second factor of another person. */
const takenOver = async (victim: { id: number }) => {
  const lines = await testApp.db.select().from(loginLog).where(eq(loginLog.user_id, victim.id));
  return lines.filter(({ login_status }) => login_status === 'Success');
};

describe('a second factor counts only for the person who has proven it', () => {
  test('a mailed code is not accepted of another person in the same sign-in', async () => {
    await askFor('email');
    const [attacker, { user: victim }] = [await makeUser(testApp.db), await withTotp(testApp)];
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const page = await browser.submit(first, { email: attacker.email, password });
    const [mail] = await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'));
    expect(mail?.to).toBe(attacker.email);
    await browser.submit(first, { email: victim.email, password });
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    const end = await postForm(browser, page, 'verify', { factor: 'email', code });
    expect(end.status).toBe(401);
    expect(await takenOver(victim)).toEqual([]);
  });

  test('an authenticator does not count if another person takes over the sign-in during its set-up', async () => {
    await askFor('google');
    const [attacker, { user: victim }] = [await makeUser(testApp.db), await withTotp(testApp)];
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const page = await proveAddress(testApp, browser, await browser.submit(first, { email: attacker.email, password }));
    const key = setupKeyIn(page);
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
    const end = await runWhileLocked(
      testApp,
      sql`select from users where id = ${attacker.id} for update`,
      () => browser.submit(page, { code }),
      () => browser.submit(first, { email: victim.email, password }),
    );
    expect(end).toMatchObject({ value: { status: 410 } });
    expect(isSignedIn(await postForm(browser, page, 'go-on'))).toBe(false);
    expect(await takenOver(victim)).toEqual([]);
  });

  test('a factor proven at the main network does not count if another person takes over the sign-in', async () => {
    const [{ user: attacker, code }, { user: victim }] = [await withTotp(testApp), await withTotp(testApp)];
    const browser = testApp.browser();
    const first = await firstPage(browser, { auth_options: ['opensocial'] });
    const main = await postForm(browser, first, 'with/opensocial');
    const page = await browser.submit(main, { email: attacker.email, password });
    const end = await runWhileLocked(
      testApp,
      sql`select from users where id = ${attacker.id} for update`,
      () => browser.submit(page, { code: code() }),
      () => browser.submit(main, { email: victim.email, password }),
    );
    expect(end).toMatchObject({ value: { status: 410 } });
    expect(await takenOver(victim)).toEqual([]);
  });
});

describe('a new password', () => {
  test.for([
    ['nothing else is owed', 'Disable'],
    ['a second factor would be next', 'Enable'],
  ] as const)('ends a sign-in with the old one, if %s', async ([, mfa]) => {
    await setPolicy(testApp, { mfa, mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const key = `account:${hash('sha256', user.email)}`;
    await testApp.db.insert(throttles).values({ key, failures: 0 });
    const changed = await hashPassword('another horse battery staple');
    const end = await runWhileLocked(
      testApp,
      sql`select from throttles where key = ${key} for update`,
      () => browser.submit(first, { email: user.email, password }),
      () => testApp.db.transaction((tx) => storePassword(tx, testApp.parts, user, changed)),
    );
    expect(end).toMatchObject({ value: { status: 410 } });
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(signIns, eq(signIns.user_id, user.id))).toBe(0);
  });
});
