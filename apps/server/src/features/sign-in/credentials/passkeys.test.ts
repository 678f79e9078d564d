import { beginPasskey, createPasskey } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, passkeys, signIns, throttles, users } from '../../../database/schema.ts';
import { hashToken } from '../../../secrets/tokens.ts';
import { newTotpSecret, totpCode } from '../../../secrets/totp.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password, signInto } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { csrfTokenOf, isSignedIn, setPolicy } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { type Deviation, PasskeyDevice } from '../../../testing/services/passkey-device.ts';

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
    failed_tries: 10,
  });
});

/** A person with a passkey, which is added as on the profile page. */
const withPasskey = async (draft: Parameters<typeof makeUser>[1] = {}, device = new PasskeyDevice()) => {
  const user = await makeUser(testApp.db, draft);
  const proven = user.totp_secret ? ({ mfa: 'totp' } as const) : {};
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), user, new Date(), proven));
  const passkey = device.make(await call(beginPasskey, {}));
  const { recovery_codes } = await call(createPasskey, { body: { name: 'My phone', passkey } });
  await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, user.id));
  return { user, device, recoveryCodes: recovery_codes };
};

const provider = async (draft: Parameters<typeof makeSite>[1] = {}) =>
  ServiceProvider.of(testApp, await makeSite(testApp.db, draft));

/** The first page of a sign-in. */
const begin = async (browser: Browser, draft: Parameters<typeof makeSite>[1] = {}): Promise<Page> =>
  browser.get(await (await provider(draft)).signInUrl());

const requestOn = (page: Page): { rpId: string; challenge: string } & Record<string, unknown> => {
  const [, text = ''] = /data-passkey="([^"]+)"/.exec(page.html) ?? [];
  return JSON.parse(text.replaceAll('&quot;', '"'));
};

const fieldOn = (page: Page, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page.html)?.[1] ?? '';

/** Sends the answer of an authenticator as the script of the page does. */
const signInWith = (browser: Browser, page: Page, answer: string): Promise<Page> =>
  browser.post(`${pathOf(page)}/passkey`, { csrf: fieldOn(page, 'csrf'), answer });

const confirmWith = (browser: Browser, page: Page, answer: string, more: Record<string, string> = {}): Promise<Page> =>
  browser.post(`${pathOf(page)}/verify`, { csrf: fieldOn(page, 'csrf'), factor: 'passkey', answer, ...more });

const pathOf = (page: Page): string => /\/signin\/[\w-]+/.exec(page.url)?.[0] ?? '';

const enterPassword = async (browser: Browser, email: string, draft: Parameters<typeof makeSite>[1] = {}) =>
  browser.submit(await begin(browser, draft), { email, password });

const lastLine = async () => (await testApp.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];
const linesOf = (user: { id: number }) => testApp.db.$count(loginLog, eq(loginLog.user_id, user.id));

const refusedText = 'This passkey is unknown, or its account cannot sign in here.';

describe('signing in with a passkey', () => {
  test('counts as password and second factor at a site that requires both', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'], password_expiration: 1 });
    const { user, device } = await withPasskey({ password_changed_at: new Date(0) });
    const browser = testApp.browser();
    const sp = await provider({ mfa: 'Enable' });
    const page = await browser.get(await sp.signInUrl());
    expect(requestOn(page)).toEqual({
      rpId: 'localhost',
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      timeout: 300_000,
      userVerification: 'required',
    });
    const done = await signInWith(browser, page, device.answer(requestOn(page)));
    expect(isSignedIn(done)).toBe(true);
    expect(await lastLine()).toMatchObject({ login_status: 'Success', reason: 'passkey', email: user.email });
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(session).toMatchObject({ mfa: 'passkey', login_from: 'OpenSocial' });
    expect(isSignedIn(await browser.get(await (await provider({ mfa: 'Enable' })).signInUrl()))).toBe(true);
    const [row] = await testApp.db.select().from(passkeys).where(eq(passkeys.user_id, user.id));
    expect(row?.last_used_at).not.toBeNull();
  });

  test.each(['EdDSA', 'RS256'] as const)('keys of %s sign in', async (algorithm) => {
    const { device } = await withPasskey({}, new PasskeyDevice(algorithm));
    const browser = testApp.browser();
    const page = await begin(browser);
    expect(isSignedIn(await signInWith(browser, page, device.answer(requestOn(page))))).toBe(true);
  });

  test('is accepted by the console, and the profile shows our own login', async () => {
    const { device } = await withPasskey();
    const browser = testApp.browser();
    const page = await browser.get('/server/saml/login');
    const done = await signInWith(browser, page, device.answer(requestOn(page)));
    await browser.submit(done);
    const session = await (await browser.fetch('/server/getsession')).json();
    expect(session).toMatchObject({ user: { last_login_from: 'OpenSocial' } });
  });

  test.each<[string, Deviation]>([
    ['another origin', { origin: 'http://localhost:8081' }],
    ['a longer origin', { origin: `${testOrigin}.evil.example` }],
    ['another host', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['an answer made in a frame', { crossOrigin: true }],
    ["an answer made in a frame of somebody else's", { crossOrigin: true, topOrigin: 'https://evil.example' }],
    ['an answer to another question', { type: 'webauthn.create' }],
    ['nobody there', { isPresent: false, isVerified: false }],
    ['nobody verified', { isVerified: false }],
    ['a signature of something else', { signed: Buffer.from('something else') }],
    ['no word of whose it is', { handle: undefined }],
    ["somebody else's handle", { handle: Buffer.alloc(32).toString('base64url') }],
  ])('refused: %s, in the same words, with one line in the log', async (_what, deviation) => {
    const { user, device } = await withPasskey();
    const browser = testApp.browser();
    const page = await begin(browser);
    const refused = await signInWith(browser, page, device.answer(requestOn(page), deviation));
    expect(refused.status).toBe(401);
    expect(textOf(refused.html)).toContain(refusedText);
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    expect(await linesOf(user)).toBe(1);
    expect(await lastLine()).toMatchObject({ login_status: 'Failed', reason: 'wrong passkey', email: user.email });
    // The page with the error has a new challenge, and a valid answer to it is accepted.
    expect(requestOn(refused).challenge).not.toBe(requestOn(page).challenge);
    expect(isSignedIn(await signInWith(browser, refused, device.answer(requestOn(refused))))).toBe(true);
  });

  test('refused: an unknown passkey, and a value that is not an answer', async () => {
    const { device } = await withPasskey();
    const browser = testApp.browser();
    let page = await begin(browser);
    for (const answer of [
      new PasskeyDevice().answer(requestOn(page), { handle: device.handle }),
      '',
      'null',
      '{"id":"AA"}',
      JSON.stringify({ id: ['AA'] }),
    ]) {
      page = await signInWith(browser, page, answer);
      expect(page.status).toBe(401);
      expect(textOf(page.html)).toContain(refusedText);
      expect(await lastLine()).toMatchObject({ login_status: 'Failed', reason: 'unknown passkey', email: null });
    }
  });

  test("refused: a signature with the id of another person's passkey", async () => {
    const [victim, thief] = [await withPasskey(), await withPasskey()];
    const browser = testApp.browser();
    const page = await begin(browser);
    const { credentialId, handle } = victim.device;
    const forged = thief.device.answer(requestOn(page), { credentialId, handle });
    expect((await signInWith(browser, page, forged)).status).toBe(401);
    expect(await lastLine()).toMatchObject({ reason: 'wrong passkey', email: victim.user.email });
  });

  test.each<[string, Partial<typeof users.$inferInsert>, string]>([
    ['disabled', { user_mode: 'Disable' }, 'account disabled'],
    ['not confirmed', { status: 'NonConfirmed' }, 'account not confirmed'],
  ])('an account that is %s reads like any other refusal', async (_what, changes, reason) => {
    const { user, device } = await withPasskey();
    await testApp.db.update(users).set(changes).where(eq(users.id, user.id));
    const browser = testApp.browser();
    const page = await begin(browser);
    const refused = await signInWith(browser, page, device.answer(requestOn(page)));
    expect(refused.status).toBe(401);
    expect(textOf(refused.html)).toContain(refusedText);
    expect(await lastLine()).toMatchObject({ login_status: 'Failed', reason, email: user.email });
  });

  test('a valid passkey is never blocked by wrong passwords, by wrong answers or at a blocked address', async () => {
    await setPolicy(testApp, { failed_tries: 3 });
    const { user, device } = await withPasskey();
    const browser = testApp.browser();
    let page = await begin(browser);
    for (let attempt = 0; attempt < 4; attempt += 1)
      page = await browser.submit(page, { email: user.email, password: 'a wrong guess' });
    expect(await lastLine()).toMatchObject({ reason: 'account locked', email: user.email });
    for (let attempt = 0; attempt < 4; attempt += 1)
      page = await signInWith(browser, page, device.answer(requestOn(page), { isVerified: false }));
    expect(page.status).toBe(401);
    expect(textOf(page.html)).toContain(refusedText);
    await testApp.db
      .insert(throttles)
      .values({ key: 'address:127.0.0.1', failures: 100, blocked_until: new Date(Date.now() + 600_000) })
      .onConflictDoUpdate({ target: throttles.key, set: { blocked_until: new Date(Date.now() + 600_000) } });
    expect(isSignedIn(await signInWith(browser, page, device.answer(requestOn(page))))).toBe(true);
    await testApp.db.delete(throttles);
  });

  test('an address has a hundred attempts, as with passwords', async () => {
    const browser = testApp.browser();
    let page = await begin(browser);
    await testApp.db.insert(throttles).values({ key: 'address:127.0.0.1', failures: 98 });
    for (const status of [401, 401, 429]) {
      const refused = await signInWith(browser, page, 'null');
      expect(refused.status).toBe(status);
      if (status === 401) page = refused;
    }
    expect((await browser.submit(await begin(browser), { email: 'a@b.org', password })).status).toBe(429);
  });

  test('an answer is accepted once, in its own sign-in and its own browser', async () => {
    const { user, device } = await withPasskey();
    const [browser, other] = [testApp.browser(), testApp.browser()];
    const [page, elsewhere] = [await begin(browser), await begin(other)];
    const answer = device.answer(requestOn(page));
    expect((await signInWith(other, elsewhere, answer)).status).toBe(401);
    // Another browser cannot continue this sign-in either.
    expect((await signInWith(other, page, answer)).status).toBe(410);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => signInWith(browser, page, answer)));
    expect(outcomes.filter(isSignedIn)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 410 || status === 401)).toHaveLength(4);
    expect((await signInWith(browser, page, answer)).status).toBe(410);
    const again = await begin(testApp.browser());
    expect((await signInWith(browser, again, answer)).status).toBe(410);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(1);
  });

  test('an answer that was refused is not accepted later in the same sign-in', async () => {
    const { user, device } = await withPasskey();
    await testApp.db.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, user.id));
    const browser = testApp.browser();
    const page = await begin(browser);
    const answer = device.answer(requestOn(page));
    const refused = await signInWith(browser, page, answer);
    await testApp.db.update(users).set({ user_mode: 'Active' }).where(eq(users.id, user.id));
    expect((await signInWith(browser, refused, answer)).status).toBe(401);
    expect(await lastLine()).toMatchObject({ reason: 'wrong passkey' });
  });

  test('an expired sign-in accepts no passkey', async () => {
    const { device } = await withPasskey();
    const browser = testApp.browser();
    const page = await begin(browser);
    await testApp.db.update(signIns).set({ expires_at: new Date(Date.now() - 1_000) });
    expect((await signInWith(browser, page, device.answer(requestOn(page)))).status).toBe(410);
  });

  test('a form without the CSRF token of this browser is refused', async () => {
    const { device } = await withPasskey();
    const browser = testApp.browser();
    const page = await begin(browser);
    const answer = device.answer(requestOn(page));
    expect((await browser.post(`${pathOf(page)}/passkey`, { csrf: 'guessed', answer })).status).toBe(410);
  });

  test('a signature counter that does not increase is refused and logged', async () => {
    const { user, device } = await withPasskey();
    const outcome = async (counter: number) => {
      const browser = testApp.browser();
      const page = await begin(browser);
      return isSignedIn(await signInWith(browser, page, device.answer(requestOn(page), { counter })));
    };
    expect(await outcome(7)).toBe(true);
    for (const counter of [7, 6, 0]) {
      expect(await outcome(counter)).toBe(false);
      expect(await lastLine()).toMatchObject({
        login_status: 'Failed',
        reason: 'counter of the passkey went back',
        email: user.email,
      });
    }
    expect(await outcome(8)).toBe(true);
    const [row] = await testApp.db.select().from(passkeys).where(eq(passkeys.user_id, user.id));
    expect(row?.counter).toBe(8);
  });

  test('a signature counter without a valid signature is not stored', async () => {
    const { user, device } = await withPasskey();
    const browser = testApp.browser();
    const page = await begin(browser);
    await signInWith(browser, page, device.answer(requestOn(page), { counter: 9, signed: Buffer.from('x') }));
    expect(await lastLine()).toMatchObject({ reason: 'wrong passkey' });
    const [row] = await testApp.db.select().from(passkeys).where(eq(passkeys.user_id, user.id));
    expect(row).toMatchObject({ counter: 0, last_used_at: null });
  });

  test('a passkey that was removed is unknown', async () => {
    const { user, device } = await withPasskey();
    await testApp.db.delete(passkeys).where(eq(passkeys.user_id, user.id));
    const browser = testApp.browser();
    const page = await begin(browser);
    expect((await signInWith(browser, page, device.answer(requestOn(page)))).status).toBe(401);
    expect(await lastLine()).toMatchObject({ reason: 'unknown passkey' });
  });

  test('a site without email login neither offers nor accepts a passkey', async () => {
    const { device } = await withPasskey();
    const browser = testApp.browser();
    const page = await begin(browser, { email_login: false });
    expect(page.html).not.toMatch(/passkey|<script/);
    expect(page.headers['content-security-policy']).not.toContain('script-src');
    const [token = ''] = pathOf(page).split('/').slice(-1);
    const [{ passkey_challenge } = { passkey_challenge: Buffer.alloc(0) }] = await testApp.db
      .select()
      .from(signIns)
      .where(eq(signIns.token_hash, hashToken(token)));
    const answer = device.answer({ rpId: 'localhost', challenge: passkey_challenge.toString('base64url') });
    // The page has no form with a CSRF token.
    const csrf = csrfTokenOf(testApp, browser, page);
    expect((await browser.post(`${pathOf(page)}/passkey`, { csrf, answer })).status).toBe(404);
  });

  test('does not open a site of another network, and the page says why', async () => {
    const { device } = await withPasskey({ network: 'southlab' });
    const browser = testApp.browser();
    const page = await begin(browser);
    expect((await signInWith(browser, page, device.answer(requestOn(page)))).status).toBe(403);
    expect(await lastLine()).toMatchObject({ reason: 'not a member of the network' });
  });
});

describe('the script', () => {
  test('is the only script that the page may run, and has an immutable URL', async () => {
    const browser = testApp.browser();
    const page = await begin(browser);
    const [, path = ''] = /<script type="module" src="([^"]+)" blocking="render"><\/script>/.exec(page.html) ?? [];
    expect(path).toMatch(/^\/signin\/assets\/passkey-script-[\w-]{8}\.js$/);
    expect(page.html.match(/<script/g)).toHaveLength(1);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy.split('; ').filter((directive) => directive.startsWith('script-src'))).toEqual([
      `script-src ${testOrigin}${path}`,
    ]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self'");
    const script = await browser.fetch(path);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect(script.headers.get('cache-control')).toMatch(/immutable/);
    expect(await script.text()).not.toMatch(/\beval\(|new Function|innerHTML/);
  });

  test('the form for passkeys is hidden without it', async () => {
    const page = await begin(testApp.browser());
    expect(page.html).toMatch(/<form[^>]*hidden[^>]*action="\/signin\/[\w-]+\/passkey"/);
    expect(page.form?.fields).toMatchObject({ email: '', password: '' });
    expect(page.html).toContain('autoComplete="username webauthn"');
  });
});

describe('a passkey as second factor', () => {
  test('is required after the password even if no rule requires a factor', async () => {
    const { user, device } = await withPasskey();
    const other = await withPasskey();
    const browser = testApp.browser();
    const page = await enterPassword(browser, user.email);
    expect(page.url).toMatch(/\/verify$/);
    expect(requestOn(page)).toMatchObject({
      userVerification: 'preferred',
      allowCredentials: [
        {
          id: device.credentialId.toString('base64url'),
          type: 'public-key',
          transports: ['hybrid', 'internal'],
        },
      ],
    });
    expect(page.html).toContain('?with=recovery');
    expect(page.html).not.toContain('?with=totp');
    const refused = await confirmWith(browser, page, other.device.answer(requestOn(page)));
    expect(refused.status).toBe(401);
    expect(textOf(refused.html)).toContain('This passkey does not belong to your account');
    expect(await lastLine()).toMatchObject({ reason: 'unknown passkey', email: user.email });
    const wrong = await confirmWith(browser, refused, device.answer(requestOn(page)));
    expect(wrong.status).toBe(401);
    expect(await lastLine()).toMatchObject({ reason: 'wrong passkey', email: user.email });
    const answer = device.answer(requestOn(wrong), { isVerified: false, handle: undefined });
    expect(isSignedIn(await confirmWith(browser, wrong, answer))).toBe(true);
    expect(await lastLine()).toMatchObject({ login_status: 'Success', reason: 'password, passkey' });
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(session).toMatchObject({ mfa: 'passkey' });
  });

  test.each([['google'], ['email']])('satisfies a network that permits %s', async (option) => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: [option] });
    const { user, device } = await withPasskey();
    const browser = testApp.browser();
    const page = await enterPassword(browser, user.email);
    expect(page.html).not.toContain('?with=setup');
    expect(isSignedIn(await confirmWith(browser, page, device.answer(requestOn(page))))).toBe(true);
  });

  test('and an authenticator are accepted alike', async () => {
    const secret = newTotpSecret();
    const { user } = await withPasskey({ totp_secret: testApp.parts.vault.encrypt(secret) });
    const browser = testApp.browser();
    const page = await enterPassword(browser, user.email);
    const byApp = await browser.get(`${page.url}?with=totp`);
    expect(byApp.html).toContain('?with=passkey');
    expect(byApp.html).not.toContain('<script');
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    expect(isSignedIn(await browser.submit(byApp, { code }))).toBe(true);
  });

  test('that is lost can be replaced by a recovery code', async () => {
    const { user, recoveryCodes } = await withPasskey();
    const browser = testApp.browser();
    const page = await enterPassword(browser, user.email);
    const byCode = await browser.get(`${page.url}?with=recovery`);
    expect(isSignedIn(await browser.submit(byCode, { code: recoveryCodes[0] ?? '' }))).toBe(true);
  });

  test('shares the counter of failures with other factors, but a valid answer is always accepted', async () => {
    const { user, device } = await withPasskey();
    const [stranger, browser] = [testApp.browser(), testApp.browser()];
    let page = await enterPassword(stranger, user.email);
    for (let guess = 0; guess < 5; guess += 1) page = await confirmWith(stranger, page, 'null');
    expect((await confirmWith(stranger, page, 'null')).status).toBe(429);
    const recovery = await browser.get(`${(await enterPassword(browser, user.email)).url}?with=recovery`);
    expect((await browser.submit(recovery, { code: 'abcd-efgh-ijkl' })).status).toBe(429);
    const asked = await browser.get(recovery.url.split('?')[0] ?? '');
    expect(isSignedIn(await confirmWith(browser, asked, device.answer(requestOn(asked))))).toBe(true);
  });

  test('is offered only to people who have one, and makes a browser trusted if the network allows it', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['email'], mfa_remember_days: 30 });
    const stranger = await makeUser(testApp.db);
    const [without, browser] = [testApp.browser(), testApp.browser()];
    const asked = await enterPassword(without, stranger.email);
    expect(asked.html).not.toContain('?with=passkey');
    expect((await without.get(`${asked.url}?with=passkey`)).html).toContain('Send me a code');
    const { user, device } = await withPasskey();
    const page = await enterPassword(browser, user.email);
    expect(isSignedIn(await confirmWith(browser, page, device.answer(requestOn(page)), { remember: 'yes' }))).toBe(
      true,
    );
    browser.cookies.delete('opensocial_identity');
    expect(isSignedIn(await enterPassword(browser, user.email))).toBe(true);
    expect(await lastLine()).toMatchObject({ reason: 'password, device' });
  });

  test('cannot be skipped by requesting another page', async () => {
    const { user } = await withPasskey();
    const browser = testApp.browser();
    const page = await enterPassword(browser, user.email);
    const answer = await browser.post(`${pathOf(page)}/go-on`, { csrf: fieldOn(page, 'csrf') });
    expect(isSignedIn(answer)).toBe(false);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
  });
});
