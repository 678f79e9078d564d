import { confirmSignup, verifyToken } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memberships, networkSettings, throttles, users } from '../../../database/schema.ts';
import type { Mail } from '../../../mail/mailer.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { csrfTokenOf } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { newDeviceCookie } from '../credentials/known-devices.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  call = testApp.as(testApp.browser());
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await testApp.db.update(networkSettings).set({ sign_up: 'Enable', mfa: 'Disable' });
});

const open = async (draft: Parameters<typeof makeSite>[1] = {}): Promise<{ browser: Browser; page: Page }> => {
  const provider = await ServiceProvider.of(testApp, await makeSite(testApp.db, draft));
  const browser = testApp.browser();
  return { browser, page: await browser.get(await provider.signInUrl()) };
};

/** Requests a mail on one of the pages. Returns the page and the mails. */
const ask = async (reason: 'forgot' | 'resend' | 'sign-up', fields: Record<string, string>) => {
  const { browser, page } = await open();
  const form = await browser.get(`${page.url}/${reason}`);
  let answer: Page | undefined;
  const mails = await mailsQueuedBy(testApp, async () => {
    answer = await browser.submit(form, fields);
  });
  if (!answer) throw new Error('Nothing was answered.');
  return { page: answer, mails };
};

/** The page without the parts that differ each time. */
const plain = (page: Page): string =>
  page.html.replaceAll(/\/signin\/[\w-]+/g, '').replaceAll(/csrf" value="[^"]*"/g, '');

const tokenIn = (mail: Mail | undefined): string => /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';

const setPassword = (email: string, mail: Mail | undefined, next: string) =>
  call(confirmSignup, { body: { email, code: tokenIn(mail), password: next, signup_from: testOrigin } });

const signsIn = async (email: string, given: string): Promise<boolean> => {
  const { browser, page } = await open();
  return (await browser.submit(page, { email, password: given })).form?.fields['SAMLResponse'] !== undefined;
};

const standingOf = async (email: string) => (await testApp.db.select().from(users).where(eq(users.email, email)))[0];

const newAddress = () => `${crypto.randomUUID()}@elsewhere.org`;

describe('a forgotten password', () => {
  test('is replaced by a link that works once; the old password and every session end', async () => {
    const user = await makeUser(testApp.db);
    const elsewhere = await signInto(testApp.db, testApp.browser(), user);
    const { page, mails } = await ask('forgot', { email: user.email.toUpperCase() });
    expect(page.html).toContain('If a link can be made for this address, it is stored on the server.');
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({ to: user.email, subject: 'A new password for northlab' });
    const link = { email: user.email, code: tokenIn(mails[0]) };
    expect(await call(verifyToken, { body: link })).toMatchObject({ purpose: 'reset', server: 'northlab' });
    expect(await signsIn(user.email, password)).toBe(true);

    await setPassword(user.email, mails[0], 'a new one of my own');
    expect(await signsIn(user.email, password)).toBe(false);
    expect(await signsIn(user.email, 'a new one of my own')).toBe(true);
    expect(await (await elsewhere.fetch('/server/getsession')).json()).toMatchObject({ user: 'no session' });
    await expect(setPassword(user.email, mails[0], 'yet another of my own')).rejects.toMatchObject({
      code: 'token_used',
    });
  });

  test('a link works after others were requested; once one is used, all the others end', async () => {
    const user = await makeUser(testApp.db);
    const own = await ask('forgot', { email: user.email });
    const stranger = await ask('forgot', { email: user.email });
    await setPassword(user.email, own.mails[0], 'a new one of my own');
    await expect(setPassword(user.email, stranger.mails[0], 'a new one of theirs')).rejects.toMatchObject({
      status: 404,
    });
  });

  test('a used password is refused', async () => {
    const user = await makeUser(testApp.db);
    const first = await ask('forgot', { email: user.email });
    await setPassword(user.email, first.mails[0], 'a new one of my own');
    const third = await ask('forgot', { email: user.email });
    await expect(setPassword(user.email, third.mails[0], 'a new one of my own')).rejects.toMatchObject({
      code: 'password_refused',
      message: expect.stringContaining('one of your last 3 passwords'),
    });
  });

  test('the page is the same for known, unknown, disabled and unconfirmed addresses', async () => {
    const email = newAddress();
    const unknown = await ask('forgot', { email });
    expect(unknown.mails).toEqual([]);
    for (const draft of [{}, { user_mode: 'Disable' }, { status: 'NonConfirmed' }] as const) {
      const user = await makeUser(testApp.db, draft);
      const { page } = await ask('forgot', { email: user.email });
      expect(page.status).toBe(unknown.page.status);
      expect(plain(page)).toBe(plain(unknown.page).replace(email, user.email));
    }
  });

  test('a disabled account gets no link, an unconfirmed one the confirmation', async () => {
    const disabled = await makeUser(testApp.db, { user_mode: 'Disable' });
    expect((await ask('forgot', { email: disabled.email })).mails).toEqual([]);
    const waiting = await makeUser(testApp.db, { status: 'NonConfirmed', password_hash: null, provisional: true });
    const { mails } = await ask('forgot', { email: waiting.email });
    expect(mails[0]?.subject).toBe('Confirm your account on northlab');
  });

  test('one address can send five mails to one person; the page stays the same', async () => {
    const user = await makeUser(testApp.db);
    const counts: number[] = [];
    for (let round = 0; round < 7; round += 1) counts.push((await ask('forgot', { email: user.email })).mails.length);
    expect(counts).toEqual([1, 1, 1, 1, 1, 0, 0]);
    const other = await makeUser(testApp.db);
    expect((await ask('forgot', { email: other.email })).mails).toHaveLength(1);
  });

  test('requests of strangers do not use up the mails of the person at another address or on a known device', async () => {
    const user = await makeUser(testApp.db);
    const request = (address: string, device?: string) =>
      mailsQueuedBy(testApp, () =>
        testApp.parts.jobs.answerLinkRequest(testApp.db, {
          reason: 'forgot',
          network: { id: user.home_network_id, name: 'northlab' },
          email: user.email,
          firstname: '',
          lastname: '',
          address,
          device,
        }),
      );
    for (let round = 0; round < 8; round += 1) await request('198.51.100.1');
    expect(await request('192.0.2.1')).toHaveLength(1);
    for (let stranger = 2; stranger < 60; stranger += 1) await request(`198.51.100.${stranger}`);
    expect(await request('203.0.113.7')).toEqual([]);
    const device = newDeviceCookie(testApp.parts.vault, { uid: user.uid, credentialsAt: user.credentials_at });
    expect(await request('198.51.100.1', device)).toHaveLength(1);
    const other = newDeviceCookie(testApp.parts.vault, { uid: 'somebody else', credentialsAt: user.credentials_at });
    expect(await request('198.51.100.1', other)).toEqual([]);
  });

  test('unlocks the account when it is replaced', async () => {
    await testApp.db.update(networkSettings).set({ failed_tries: 2 });
    const user = await makeUser(testApp.db);
    for (let guess = 0; guess < 3; guess += 1) await signsIn(user.email, 'a wrong guess');
    expect(await signsIn(user.email, password)).toBe(false);
    const { mails } = await ask('forgot', { email: user.email });
    await setPassword(user.email, mails[0], 'a new one of my own');
    expect(await signsIn(user.email, 'a new one of my own')).toBe(true);
    await testApp.db.update(networkSettings).set({ failed_tries: 10 });
  });

  test('executes the same statements with and without an account', async () => {
    const statements: string[] = [];
    const [known, unknown] = [(await makeUser(testApp.db)).email, newAddress()];
    for (const email of [known, unknown]) {
      const { browser, page } = await open();
      const form = await browser.get(`${page.url}/forgot`);
      const { rows } = await testApp.db.execute<{ total: number }>(
        sql`select count(*)::int as total from graphile_worker._private_jobs`,
      );
      await browser.submit(form, { email });
      const after = await testApp.db.execute<{ total: number; tokens: number }>(
        sql`select (select count(*)::int from graphile_worker._private_jobs) as total,
          (select count(*)::int from one_time_tokens join users on users.id = user_id where email = ${email}) as tokens`,
      );
      statements.push(`${(after.rows[0]?.total ?? 0) - (rows[0]?.total ?? 0)} jobs, ${after.rows[0]?.tokens} tokens`);
    }
    expect(statements).toEqual(['1 jobs, 0 tokens', '1 jobs, 0 tokens']);
  });

  test('a value that is not an address is refused at once', async () => {
    const { page, mails } = await ask('forgot', { email: 'nobody' });
    expect(page.status).toBe(400);
    expect(page.html).toContain('Enter an email address');
    expect(mails).toEqual([]);
  });
});

describe('an account created on the sign-in page', () => {
  const named = { firstname: 'Noor', lastname: 'Haddad' };

  test('can sign in after its address is confirmed', async () => {
    const email = newAddress();
    const { page, mails } = await ask('sign-up', { email, ...named });
    expect(page.html).toContain('If a link can be made for this address, it is stored on the server.');
    expect(mails[0]).toMatchObject({ to: email, subject: 'Confirm your account on northlab' });
    expect(await standingOf(email)).toMatchObject({ status: 'NonConfirmed', fullname: 'Noor Haddad' });
    await setPassword(email, mails[0], 'a new one of my own');
    expect(await standingOf(email)).toMatchObject({ status: 'Confirmed' });
    expect(await signsIn(email, 'a new one of my own')).toBe(true);
  });

  test('a person who has one gets a mail, and sees the same page', async () => {
    const email = newAddress();
    const user = await makeUser(testApp.db, { network: 'southlab' });
    const stranger = await ask('sign-up', { email, ...named });
    const known = await ask('sign-up', { email: user.email, ...named });
    expect(plain(known.page)).toBe(plain(stranger.page).replace(email, user.email));
    expect(known.mails.map(({ subject }) => subject)).toEqual(['You already have an account']);
    const { id } = await networkNamed(testApp.db, 'northlab');
    const joined = await testApp.db.select().from(memberships).where(eq(memberships.user_id, user.id));
    expect(joined.map(({ network_id }) => network_id)).not.toContain(id);
    expect(await standingOf(user.email)).toMatchObject({ fullname: user.fullname });
  });

  test('needs both names', async () => {
    const { page, mails } = await ask('sign-up', { email: newAddress(), firstname: ' ', lastname: 'x'.repeat(101) });
    expect(page.status).toBe(400);
    expect(page.html).toContain('Enter your first name and your last name');
    const firstname = 'your account was hacked, secure it at https://evil.example/now';
    const worded = await ask('sign-up', { email: newAddress(), firstname, lastname: 'or lose it' });
    expect(worded.mails).toEqual([]);
    expect(worded.page.html).toContain('A name cannot contain a web address.');
    expect(mails).toEqual([]);
  });

  test('is refused if the network has switched sign-up off', async () => {
    await testApp.db.update(networkSettings).set({ sign_up: 'Disable' });
    const { browser, page } = await open();
    expect(page.html).not.toContain('Create an account');
    expect((await browser.get(`${page.url}/sign-up`)).status).toBe(404);
    const email = newAddress();
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
    const posted = await browser.post(`${new URL(page.url, testOrigin).pathname}/sign-up`, { csrf, email, ...named });
    expect(posted.status).toBe(404);
    expect(await standingOf(email)).toBeUndefined();
  });

  test('the confirmation can be requested again; once one link is used, the other ends', async () => {
    const email = newAddress();
    const first = await ask('sign-up', { email, ...named });
    const again = await ask('resend', { email });
    await setPassword(email, again.mails[0], 'a new one of my own');
    await expect(setPassword(email, first.mails[0], 'another of my own')).rejects.toMatchObject({ status: 404 });
    expect((await ask('resend', { email })).mails).toEqual([]);
  });
});

describe('the sign-in page by the settings of the site', () => {
  test('without email login there is no form, and a posted password is refused', async () => {
    const user = await makeUser(testApp.db);
    const { browser, page } = await open({ email_login: false });
    expect(page.html).not.toContain('type="password"');
    const path = new URL(page.url, testOrigin).pathname;
    const csrf = csrfTokenOf(testApp, browser, page);
    const answer = await browser.post(path, { csrf, email: user.email, password });
    expect(answer.status).toBe(401);
    expect(answer.form?.fields['SAMLResponse']).toBeUndefined();
  });

  test('a closed site shows its message; an owner may sign in, a user may not', async () => {
    const draft = { site_mode: 'Closed', closed_message: 'Moved to building 7' } as const;
    const [owner, user] = [await makeUser(testApp.db, { owns: ['northlab'] }), await makeUser(testApp.db)];
    const { browser, page } = await open(draft);
    expect(page.html).toContain('Moved to building 7');
    expect(page.html).toContain('I administer this network');
    expect((await browser.submit(page, { email: owner.email, password })).form?.fields['SAMLResponse']).toBeDefined();
    const theirs = await open(draft);
    const refused = await theirs.browser.submit(theirs.page, { email: user.email, password });
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('is closed');
  });

  test('a form of another sign-in, or without a CSRF token, is refused', async () => {
    const user = await makeUser(testApp.db);
    const { browser, page } = await open();
    const path = new URL(page.url, testOrigin).pathname;
    for (const target of ['', '/forgot', '/resend', '/sign-up', '/verify', '/send', '/again', '/password', '/go-on']) {
      const answer = await browser.post(`${path}${target}`, { csrf: 'guessed', email: user.email, password });
      expect(answer.status, target).toBe(410);
    }
  });
});
