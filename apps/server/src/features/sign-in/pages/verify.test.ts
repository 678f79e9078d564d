import { desc, eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  identitySessions,
  loginLog,
  passwordHistory,
  recoveryCodes,
  signInCodes,
  throttles,
  users,
} from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { isSignedIn, postForm, proveAddress, setPolicy, withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await setPolicy(testApp, {
    mfa: 'Disable',
    mfa_options: [],
    mfa_remember_days: 0,
    password_expiration: 0,
    password_history: 3,
    sign_up: 'Disable',
  });
});

const provider = async (draft: Parameters<typeof makeSite>[1] = {}) => {
  const site = await makeSite(testApp.db, draft);
  return ServiceProvider.of(testApp, site);
};

/** Signs in up to the page after the password. */
const enterPassword = async (browser: Browser, sp: ServiceProvider, email: string): Promise<Page> =>
  browser.submit(await browser.get(await sp.signInUrl()), { email, password });

const lastLine = async () => (await testApp.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];

const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? '';

describe('the authenticator', () => {
  test('is required of people who have one, and the session records it', async () => {
    const { user, code } = await withTotp(testApp);
    const browser = testApp.browser();
    const page = await enterPassword(browser, await provider(), user.email);
    expect(page.html).toContain('Enter the current code from your authenticator app.');
    const wrong = await browser.submit(page, { code: '000000' });
    expect(wrong.status).toBe(401);
    expect(await lastLine()).toMatchObject({
      login_status: 'Failed',
      reason: 'wrong code of the second factor',
      email: user.email,
    });
    expect(isSignedIn(await browser.submit(wrong, { code: code() }))).toBe(true);
    expect(await lastLine()).toMatchObject({ login_status: 'Success', reason: 'password, totp' });
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(session).toMatchObject({ mfa: 'totp', login_from: 'OpenSocial' });
  });

  test('a code is accepted once across all sign-ins', async () => {
    const { user, code } = await withTotp(testApp);
    const sp = await provider();
    const [first, second] = [testApp.browser(), testApp.browser()];
    const pages = [await enterPassword(first, sp, user.email), await enterPassword(second, sp, user.email)] as const;
    const given = code();
    expect(isSignedIn(await first.submit(pages[0], { code: given }))).toBe(true);
    expect((await second.submit(pages[1], { code: given })).status).toBe(401);
    expect(isSignedIn(await second.submit(pages[1], { code: code(1) }))).toBe(true);
  });

  test('the same code sent concurrently is accepted once', async () => {
    const { user, code } = await withTotp(testApp);
    const sp = await provider();
    const browsers = Array.from({ length: 5 }, () => testApp.browser());
    const pages = await Promise.all(browsers.map((browser) => enterPassword(browser, sp, user.email)));
    const given = code();
    const outcomes = await Promise.all(
      browsers.map((browser, index) => browser.submit(pages[index] as Page, { code: given })),
    );
    expect(outcomes.filter(isSignedIn)).toHaveLength(1);
  });

  test('of 200 concurrent guesses five are checked, and then the right code is refused too', async () => {
    const { user, code } = await withTotp(testApp);
    const browser = testApp.browser();
    const page = await enterPassword(browser, await provider(), user.email);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, guess) => browser.submit(page, { code: String(guess).padStart(6, '0') })),
    );
    expect(outcomes.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(outcomes.filter(({ status }) => status === 429)).toHaveLength(195);
    expect((await browser.submit(page, { code: code() })).status).toBe(429);
  });

  test('a stranger who knows the password does not lock out known browsers', async () => {
    const { user, code } = await withTotp(testApp);
    const [own, stranger, unknown] = [testApp.browser(), testApp.browser(), testApp.browser()];
    expect(
      isSignedIn(await own.submit(await enterPassword(own, await provider(), user.email), { code: code(-1) })),
    ).toBe(true);
    own.cookies.delete('opensocial_identity');
    const page = await enterPassword(stranger, await provider(), user.email);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await stranger.submit(page, { code: '000000' })).status).toBe(401);
    expect((await stranger.submit(page, { code: '000000' })).status).toBe(429);
    const elsewhere = await enterPassword(unknown, await provider(), user.email);
    expect((await unknown.submit(elsewhere, { code: code() })).status).toBe(429);
    // The device cookie of another person has no effect.
    const other = await makeUser(testApp.db);
    expect(isSignedIn(await enterPassword(unknown, await provider(), other.email))).toBe(true);
    unknown.cookies.delete('opensocial_identity');
    const again = await enterPassword(unknown, await provider(), user.email);
    expect((await unknown.submit(again, { code: code() })).status).toBe(429);
    const known = await enterPassword(own, await provider(), user.email);
    expect((await own.submit(known, { code: '000000' })).status).toBe(401);
    expect(isSignedIn(await own.submit(known, { code: code() }))).toBe(true);
  });

  test('a recovery code is accepted once', async () => {
    const { user } = await withTotp(testApp);
    await testApp.db.insert(recoveryCodes).values({ user_id: user.id, code_hash: hashToken('abcdefghijkl') });
    for (const [attempt, isGood] of [
      ['ABCD-EFGH IJKL', true],
      ['abcd-efgh-ijkl', false],
    ] as const) {
      const browser = testApp.browser();
      const asked = await enterPassword(browser, await provider(), user.email);
      const page = await browser.get(`${asked.url.split('?')[0]}?with=recovery`);
      expect(isSignedIn(await browser.submit(page, { code: attempt }))).toBe(isGood);
    }
  });
});

describe('when a site or its network requires a second factor', () => {
  test.each([
    ['the network', { mfa: 'Enable', mfa_options: ['email'] }, {}],
    ['the site', {}, { mfa: 'Enable' }],
  ] as const)('%s: a mailed code, which is valid for this sign-in only', async (_who, policy, draft) => {
    await setPolicy(testApp, { ...policy, mfa_options: [...(('mfa_options' in policy && policy.mfa_options) || [])] });
    const user = await makeUser(testApp.db);
    const sp = await provider(draft);
    const [browser, other] = [testApp.browser(), testApp.browser()];
    const page = await enterPassword(browser, sp, user.email);
    expect(page.html).toContain('Send me a code');
    expect(page.html).not.toContain(user.email);
    let sent: Page | undefined;
    const [mail] = await mailsQueuedBy(testApp, async () => {
      sent = await browser.submit(page, {});
    });
    expect(mail).toMatchObject({ to: user.email });
    const code = codeIn(mail?.text ?? '');
    expect(code).toMatch(/^\d{6}$/);
    const [kept] = await testApp.db.select().from(signInCodes).orderBy(desc(signInCodes.sign_in_id)).limit(1);
    expect(JSON.stringify(kept)).not.toContain(code);

    const elsewhere = await other.submit(await enterPassword(other, sp, user.email), {});
    expect((await other.submit(elsewhere, { code })).status).toBe(401);
    expect(isSignedIn(await browser.submit(sent as Page, { code }))).toBe(true);
    expect(await lastLine()).toMatchObject({ reason: 'password, email' });
  });

  test('a mailed code has five attempts, expires after ten minutes, and is replaced by the next one', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['email'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await enterPassword(browser, await provider(), user.email);
    const send = async () => {
      const [mail] = await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'));
      return codeIn(mail?.text ?? '');
    };
    const verify = (code: string) => postForm(browser, page, 'verify', { factor: 'email', code });
    const letTimePass = (seconds: number) =>
      testApp.db.update(signInCodes).set({ expires_at: sql`expires_at - make_interval(secs => ${seconds})` });
    const first = await send();
    await letTimePass(31);
    const second = await send();
    expect(first === second || (await verify(first)).status === 401).toBe(true);
    await letTimePass(601);
    expect((await verify(second)).html).toContain('This code has expired, or was entered wrongly too often.');
    const third = await send();
    await testApp.db.delete(throttles);
    const wrong = third === '000000' ? '000001' : '000000';
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const refused = await verify(wrong);
      expect(refused.status).toBe(401);
      expect(refused.html).toContain(attempt < 4 ? 'This code is wrong.' : 'entered wrongly too often');
      await testApp.db.delete(throttles);
    }
    expect((await verify(third)).status).toBe(401);
  });

  test('a second click sends no other code, and the next one can be sent half a minute later', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['email'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await enterPassword(browser, await provider(), user.email);
    const mails = await mailsQueuedBy(testApp, () =>
      Promise.all([postForm(browser, page, 'send'), postForm(browser, page, 'send')]),
    );
    expect(mails).toHaveLength(1);
    expect(await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'))).toEqual([]);
    const sent = await browser.get(page.url.replace(/\?.*$/, '') + '?with=email&sent=yes');
    const [, seconds = ''] = /data-waits="(\d+)"[^>]*>Send a new code</.exec(sent.html) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(30);
    await testApp.db.update(signInCodes).set({ expires_at: sql`expires_at - interval '31 seconds'` });
    expect((await browser.get(sent.url)).html).toMatch(/<button[^>]*type="submit">Send a new code</);
    const [next] = await mailsQueuedBy(testApp, () => postForm(browser, page, 'send'));
    expect(isSignedIn(await browser.submit(sent, { code: codeIn(next?.text ?? '') }))).toBe(true);
  });

  test('an authenticator is set up during the sign-in, with recovery codes that are shown once', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await proveAddress(testApp, browser, await enterPassword(browser, await provider(), user.email));
    const [, key = ''] = /<code>([A-Z2-7]{32})<\/code>/.exec(page.html) ?? [];
    expect(page.html).toContain('src="data:image/svg+xml;base64,');
    const app = new TOTP({ secret: Secret.fromBase32(key) });
    expect((await browser.submit(page, { code: '000000' })).status).toBe(401);
    const used = app.generate();
    const codes = await browser.submit(page, { code: used });
    expect(codes.html).toContain('Save your recovery codes');
    expect([...codes.html.matchAll(/<code>([a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4})<\/code>/g)]).toHaveLength(10);
    expect(isSignedIn(await browser.submit(codes, {}))).toBe(true);
    const [stored] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(stored?.totp_secret?.toString('latin1')).not.toContain(key);

    const next = testApp.browser();
    const asked = await enterPassword(next, await provider(), user.email);
    expect(asked.html).toContain('Enter the current code from your authenticator app.');
    expect(asked.html).not.toContain(key);
    expect((await next.submit(asked, { code: used })).status).toBe(401);
    const later = app.generate({ timestamp: Date.now() + 30_000 });
    expect(isSignedIn(await next.submit(asked, { code: later }))).toBe(true);
  });

  test('a session that has proven less is stepped up, and keeps its sites', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    expect(isSignedIn(await enterPassword(browser, await provider(), user.email))).toBe(true);
    expect(isSignedIn(await browser.get(await (await provider()).signInUrl()))).toBe(true);
    const strict = await provider({ mfa: 'Enable' });
    const page = await browser.get(await strict.signInUrl());
    expect(page.html).toContain('Send me a code');
    let sent: Page | undefined;
    const [mail] = await mailsQueuedBy(testApp, async () => {
      sent = await browser.submit(page, {});
    });
    expect(isSignedIn(await browser.submit(sent as Page, { code: codeIn(mail?.text ?? '') }))).toBe(true);
    expect(isSignedIn(await browser.get(await strict.signInUrl()))).toBe(true);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(1);
  });

  test('the second factor cannot be skipped by requesting another page', async () => {
    const { user } = await withTotp(testApp, { password_changed_at: new Date(0) });
    await setPolicy(testApp, { password_expiration: 1 });
    const browser = testApp.browser();
    const sp = await provider();
    const page = await enterPassword(browser, sp, user.email);
    for (const path of ['go-on', 'password']) {
      const answer = await postForm(browser, page, path, {
        password: 'a new one of my own',
        confirmation: 'a new one of my own',
      });
      expect(isSignedIn(answer)).toBe(false);
      expect(answer.html).toContain('authenticator app');
    }
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    expect(isSignedIn(await browser.get(await sp.signInUrl()))).toBe(false);
  });

  test('a trusted browser is exempt until the password or a factor changes', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google', 'email'], mfa_remember_days: 30 });
    const { user, code } = await withTotp(testApp);
    const browser = testApp.browser();
    const page = await enterPassword(browser, await provider(), user.email);
    expect(page.html).toContain('Do not ask again in this browser for 30 days');
    expect(isSignedIn(await browser.submit(page, { code: code(), remember: 'yes' }))).toBe(true);
    browser.cookies.delete('opensocial_identity');
    expect(isSignedIn(await enterPassword(browser, await provider(), user.email))).toBe(true);
    expect(await lastLine()).toMatchObject({ reason: 'password, device' });
    expect(isSignedIn(await enterPassword(testApp.browser(), await provider(), user.email))).toBe(false);
    await testApp.db.update(users).set({ credentials_at: sql`now()` }).where(eq(users.id, user.id));
    browser.cookies.delete('opensocial_identity');
    expect(isSignedIn(await enterPassword(browser, await provider(), user.email))).toBe(false);
  });
});

describe('an expired password', () => {
  test('has to be changed, by the rules, the history and the list of common passwords', async () => {
    await setPolicy(testApp, { password_expiration: 3, password_length: 16 });
    const user = await makeUser(testApp.db, { password_changed_at: new Date(Date.now() - 100 * 86_400_000) });
    await testApp.db.insert(passwordHistory).values({ user_id: user.id, password_hash: user.password_hash ?? '' });
    const [browser, elsewhere] = [testApp.browser(), testApp.browser()];
    await setPolicy(testApp, { password_expiration: 0 });
    expect(isSignedIn(await enterPassword(elsewhere, await provider(), user.email))).toBe(true);
    await setPolicy(testApp, { password_expiration: 3 });

    const page = await enterPassword(browser, await provider(), user.email);
    expect(page.html).toContain('Your password has expired.');
    const change = (next: string, confirmation = next) => browser.submit(page, { password: next, confirmation });
    for (const [next, confirmation, words] of [
      ['short', 'short', 'at least 16 characters'],
      ['a new one of my own', 'another', 'The two passwords are not the same.'],
      ['passwordpassword', 'passwordpassword', 'easy to guess'],
      [password, password, 'one of your last 3 passwords'],
    ] as const) {
      const refused = await change(next, confirmation);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain(words);
    }
    let done: Page | undefined;
    const mails = await mailsQueuedBy(testApp, async () => {
      done = await change('a new one of my own');
    });
    expect(isSignedIn(done as Page)).toBe(true);
    expect(mails.map(({ subject }) => subject)).toContain('Your password was changed');
    const again = await elsewhere.get(await (await provider()).signInUrl());
    expect(isSignedIn(again)).toBe(false);
    const fresh = testApp.browser();
    const old = await enterPassword(fresh, await provider(), user.email);
    expect(old.status).toBe(401);
  });
});

describe('an unknown browser', () => {
  test('is reported by mail, once', async () => {
    const user = await makeUser(testApp.db, { last_login_at: new Date(Date.now() - 86_400_000) });
    const browser = testApp.browser();
    const subjects = async () =>
      (await mailsQueuedBy(testApp, async () => enterPassword(browser, await provider(), user.email))).map(
        ({ subject }) => subject,
      );
    expect(await subjects()).toEqual(['A sign-in from a new device']);
    browser.cookies.delete('opensocial_identity');
    expect(await subjects()).toEqual([]);
  });

  test.each([
    ['Chrome', 'Chrome/140.0.0.0 Safari/537.36'],
    ['Edge', 'Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'],
    ['Opera', 'Chrome/140.0.0.0 Safari/537.36 OPR/122.0.0.0'],
    ['an unknown browser', ''],
  ])('is called %s in the mail', async (name, tokens) => {
    const user = await makeUser(testApp.db, { last_login_at: new Date(Date.now() - 86_400_000) });
    const browser = testApp.browser();
    const { form } = await browser.get(await (await provider()).signInUrl());
    const fields = { ...form?.fields, email: user.email, password };
    const headers = { 'user-agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 ${tokens}` };
    const [mail] = await mailsQueuedBy(testApp, () => browser.post(form?.action ?? '', fields, headers));
    expect(mail?.text).toContain(` with ${name}.`);
  });

  test('is reported with the domain of the site to members, and without any text of the network to others', async () => {
    const words = 'X. SUSPICIOUS: secure it at https://evil.example/now';
    const theirs = await makeSite(testApp.db, { site_name: words, domain: 'wiki.northlab.org' });
    const lure = await makeSite(testApp.db, { network: 'southlab', site_name: words, domain: 'evil.example' });
    const told = async (network: string, { id }: { id: number }) => {
      const user = await makeUser(testApp.db, { last_login_at: new Date(Date.now() - 86_400_000) });
      const browser = testApp.browser();
      const page = await browser.get(`/saml/${network}/start/${id}`);
      const [mail] = await mailsQueuedBy(testApp, () => browser.submit(page, { email: user.email, password }));
      expect(mail?.subject).toBe('A sign-in from a new device');
      return `${mail?.text} ${mail?.html}`;
    };
    const [member, outsider] = [await told('northlab', theirs), await told('southlab', lure)];
    expect(member).toContain('to sign in to wiki.northlab.org,');
    expect(outsider).toContain('to sign in to an application,');
    for (const text of [member, outsider]) expect(text).not.toMatch(/SUSPICIOUS|evil\.example/);
  });
});
