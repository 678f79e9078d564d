import { hash } from 'node:crypto';
import { eq, type SQL, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { identitySessions, loginLog, networkSettings, signIns, throttles } from '../../database/schema.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import { newTotpSecret, totpCode } from '../../secrets/totp.ts';
import type { Browser, Page } from '../../testing/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../testing/builders.ts';
import { mailsQueuedBy } from '../../testing/queued-mails.ts';
import { ServiceProvider } from '../../testing/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { storePassword } from '../users/users.passwords.service.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const setPolicy = async (policy: Partial<typeof networkSettings.$inferInsert>) => {
  const { id } = await networkNamed(testApp.db, 'northlab');
  await testApp.db.update(networkSettings).set(policy).where(eq(networkSettings.network_id, id));
};
const askFor = (option: string) => setPolicy({ mfa: 'Enable', mfa_options: [option] });
beforeEach(() => setPolicy({ mfa: 'Disable' }));

/** Somebody with an authenticator, and what it shows. */
const withTotp = async () => {
  const secret = newTotpSecret();
  const user = await makeUser(testApp.db, { totp_secret: testApp.parts.vault.encrypt(secret) });
  return { user, code: () => totpCode(secret, Math.floor(Date.now() / 30_000)) };
};

const firstPage = async (browser: Browser, draft: Parameters<typeof makeSite>[1] = {}): Promise<Page> => {
  const provider = await ServiceProvider.of(testApp, await makeSite(testApp.db, draft));
  return browser.get(await provider.signInUrl());
};

/** Posts a form of the page that is not its first. */
const post = (browser: Browser, page: Page, path: string, fields: Record<string, string> = {}): Promise<Page> => {
  const [, token = ''] = /\/signin\/([\w-]+)/.exec(page.url) ?? [];
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  return browser.post(`/signin/${token}/${path}`, { csrf, ...fields });
};

const isSignedIn = (page: Page): boolean => page.form?.fields['SAMLResponse'] !== undefined;

/** Begins what has to wait for a row, and does something else before that goes on. */
const whileItWaits = async <T>(row: SQL, begin: () => Promise<T>, act: () => Promise<unknown>): Promise<T> => {
  const waiting = async () => {
    const { rows } = await testApp.db.execute(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  };
  const begun = await testApp.db.transaction(async (tx) => {
    await tx.execute(row);
    const ending = begin();
    await vi.waitFor(waiting, { timeout: 10_000 });
    await act();
    return { ending };
  });
  return begun.ending;
};

/** Sign-ins of accounts that got in by a second factor of somebody else's. */
const takenOver = async (victim: { id: number }) => {
  const lines = await testApp.db.select().from(loginLog).where(eq(loginLog.user_id, victim.id));
  return lines.filter(({ login_status }) => login_status === 'Success');
};

describe('a second factor counts for whoever has proven it', () => {
  test('a code that was mailed to somebody does not let in another who goes on with the same sign-in', async () => {
    await askFor('email');
    const [attacker, { user: victim }] = [await makeUser(testApp.db), await withTotp()];
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const page = await browser.submit(first, { email: attacker.email, password });
    const [mail] = await mailsQueuedBy(testApp, () => post(browser, page, 'send'));
    expect(mail?.to).toBe(attacker.email);
    await browser.submit(first, { email: victim.email, password });
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? '';
    const end = await post(browser, page, 'verify', { factor: 'email', code });
    expect(end.status).toBe(401);
    expect(await takenOver(victim)).toEqual([]);
  });

  test('nor one that is set up while another takes the sign-in over', async () => {
    await askFor('google');
    const [attacker, { user: victim }] = [await makeUser(testApp.db), await withTotp()];
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const page = await browser.submit(first, { email: attacker.email, password });
    const [, secret = ''] = /secret=([A-Z2-7]+)/.exec(page.html) ?? [];
    const key = secret || (/<code[^>]*>([^<]+)</.exec(page.html)?.[1] ?? '').replaceAll(/\s/g, '');
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
    const end = await whileItWaits(
      sql`select from users where id = ${attacker.id} for update`,
      () => browser.submit(page, { code }),
      () => browser.submit(first, { email: victim.email, password }),
    );
    expect(end.status).toBe(410);
    expect(isSignedIn(await post(browser, page, 'go-on'))).toBe(false);
    expect(await takenOver(victim)).toEqual([]);
  });

  test('nor one that is proven at the main network while another takes the sign-in over', async () => {
    const [{ user: attacker, code }, { user: victim }] = [await withTotp(), await withTotp()];
    const browser = testApp.browser();
    const first = await firstPage(browser, { auth_options: ['opensocial'] });
    const main = await post(browser, first, 'with/opensocial');
    const page = await browser.submit(main, { email: attacker.email, password });
    const end = await whileItWaits(
      sql`select from users where id = ${attacker.id} for update`,
      () => browser.submit(page, { code: code() }),
      () => browser.submit(main, { email: victim.email, password }),
    );
    expect(end.status).toBe(410);
    expect(await takenOver(victim)).toEqual([]);
  });
});

describe('a new password', () => {
  test.for([
    ['nothing else is owed', 'Disable'],
    ['a second factor would be next', 'Enable'],
  ] as const)('lets nobody go on who is just signing in with the old one, where %s', async ([, mfa]) => {
    await setPolicy({ mfa, mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await firstPage(browser);
    const key = `account:${hash('sha256', user.email)}`;
    await testApp.db.insert(throttles).values({ key, failures: 0 });
    const changed = await hashPassword('another horse battery staple');
    const end = await whileItWaits(
      sql`select from throttles where key = ${key} for update`,
      () => browser.submit(first, { email: user.email, password }),
      () => testApp.db.transaction((tx) => storePassword(tx, testApp.parts, user, changed)),
    );
    expect(end.status).toBe(410);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(signIns, eq(signIns.user_id, user.id))).toBe(0);
  });
});
