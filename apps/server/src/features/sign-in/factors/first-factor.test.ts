import { confirmSignup, copyUserInvitation, createUser, resetUserFactors, setUserMode } from '@opensocial/contract';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { activationProofs, auditRecords, throttles, users } from '../../../database/schema.ts';
import { newTotpSecret, totpCode } from '../../../secrets/totp.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import {
  csrfTokenOf,
  enterPassword,
  isSignedIn,
  mailedCode,
  newSignInUrl,
  postForm,
  runWhileLocked,
  setPolicy,
  setupKeyIn,
} from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { codeOf } from '../../../testing/services/authenticator.ts';
import { issueTokens } from '../../users/users.service.ts';

let unposted: TestApp;
let posted: TestApp;
beforeAll(async () => {
  unposted = await buildTestApp();
  posted = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
});
beforeEach(async () => {
  for (const testApp of [unposted, posted]) {
    await testApp.db.delete(throttles);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
  }
});

const ownerOf = async (testApp: TestApp, network = 'northlab') => {
  const owner = await makeUser(testApp.db, { network, owns: [network] });
  return testApp.as(await signInto(testApp.db, testApp.browser(), owner));
};

/** Invites an address to a network without a mail server, and returns the token of the copied link. */
const invite = async (email: string, network = 'northlab') => {
  const { id } = await networkNamed(unposted.db, network);
  const owner = await ownerOf(unposted, network);
  const names = { firstname: 'Ivo', lastname: 'Rossi' };
  const body = { email, ...names, sso_server_id: id, signup_from: testOrigin, signup_server: network, groups: [] };
  const invited = await owner(createUser, { body });
  const { link } = await owner(copyUserInvitation, { body: { user_id: invited.id, server_id: id } });
  return { owner, networkId: id, userId: invited.id, code: new URL(link).searchParams.get('token') ?? '' };
};

const activate = (testApp: TestApp, browser: Browser, email: string, code: string) =>
  testApp.as(browser)(confirmSignup, { body: { email, code, password, signup_from: testOrigin } });

/** A person who has just accepted an invitation by a copied link, in this browser. */
const activated = async () => {
  const email = `${crypto.randomUUID()}@northlab.org`;
  const invited = await invite(email);
  const browser = unposted.browser();
  await activate(unposted, browser, email, invited.code);
  return { ...invited, email, browser };
};

const enter = async (testApp: TestApp, browser: Browser, email: string) =>
  enterPassword(browser, await newSignInUrl(testApp), email);

const proofCookies = ({ cookies }: Browser) => [...cookies.keys()].filter((name) => name.startsWith('activation-'));
const countProofs = ({ db }: TestApp, userId: number) =>
  db.$count(activationProofs, eq(activationProofs.user_id, userId));
const countApps = ({ db }: TestApp, userId: number) =>
  db.$count(users, and(eq(users.id, userId), isNotNull(users.totp_secret)));

/** Tries every way to an authenticator app in a sign-in after the password, and expects that none is open. */
const expectNoSetup = async (testApp: TestApp, browser: Browser, page: Page, userId: number) => {
  expect(page.url).toContain('/verify');
  expect(setupKeyIn(page)).toBe('');
  expect(setupKeyIn(await browser.get(`${page.url.split('?')[0]}?with=setup`))).toBe('');
  const csrf = csrfTokenOf(testApp, browser, page);
  const answer = await postForm(browser, page, 'verify', { csrf, factor: 'setup', code: '000000' });
  expect(setupKeyIn(answer)).toBe('');
  expect(await countApps(testApp, userId)).toBe(0);
};

describe('without a mail server, a person who has just accepted an invitation in this browser', () => {
  test.each([[['google']], [['email']], [['google', 'email']]])(
    'sets up an authenticator app while signing in, if the network requires %j',
    async (mfa_options) => {
      await setPolicy(unposted, { mfa_options });
      const { email, browser, userId } = await activated();
      const page = await enter(unposted, browser, email);
      expect(page.html).toContain('QR code');
      const key = setupKeyIn(page);
      const codes = await browser.submit(page, { code: codeOf(key) });
      expect(codes.html).toContain('recovery codes');
      expect(isSignedIn(await browser.submit(codes))).toBe(true);
      expect(await countProofs(unposted, userId)).toBe(0);
      expect(
        await unposted.db.$count(
          auditRecords,
          and(eq(auditRecords.actor_id, userId), eq(auditRecords.description, 'update own authenticator')),
        ),
      ).toBe(1);
      const elsewhere = unposted.browser();
      const asked = await enter(unposted, elsewhere, email);
      expect(asked.html).toContain('code from your authenticator app');
      expect(isSignedIn(await elsewhere.submit(asked, { code: codeOf(key, 1) }))).toBe(true);
    },
  );

  test('does so at a site that requires a second factor, although the network does not', async () => {
    await setPolicy(unposted, { mfa: 'Disable', mfa_options: [] });
    const { email, browser } = await activated();
    const site = await makeSite(unposted.db, { mfa: 'Enable' });
    const page = await enterPassword(browser, `/saml/northlab/start/${site.id}`, email);
    expect(isSignedIn(await browser.submit(await browser.submit(page, { code: codeOf(setupKeyIn(page)) })))).toBe(true);
  });

  test('is not asked for anything where no second factor is required', async () => {
    await setPolicy(unposted, { mfa: 'Disable', mfa_options: [] });
    const { email, browser } = await activated();
    expect(isSignedIn(await enter(unposted, browser, email))).toBe(true);
  });

  test('may still use a code that an administrator reads on the server, if the network permits it', async () => {
    await setPolicy(unposted, { mfa_options: ['email'] });
    const { email, browser } = await activated();
    const page = await enter(unposted, browser, email);
    expect(page.html).toContain('Get a code from an administrator');
    const code = await mailedCode(unposted, browser, page);
    expect(isSignedIn(await postForm(browser, page, 'verify', { factor: 'email', code }))).toBe(true);
  });

  test('enters a wrong code and tries again', async () => {
    const { email, browser, userId } = await activated();
    const page = await enter(unposted, browser, email);
    const again = await browser.submit(page, { code: '000000' });
    expect(again.html).toContain('This code is wrong');
    expect(await countApps(unposted, userId)).toBe(0);
    await browser.submit(again, { code: codeOf(setupKeyIn(again)) });
    expect(await countApps(unposted, userId)).toBe(1);
  });
});

describe('with a mail server', () => {
  /** A person whose account an owner has un-confirmed, and who has used the mailed link to confirm it again. */
  const confirmedAgain = async (draft: Parameters<typeof makeUser>[1] = {}) => {
    const user = await makeUser(posted.db, { status: 'NonConfirmed', ...draft });
    const code = await newCode(user);
    const browser = posted.browser();
    await activate(posted, browser, user.email, code);
    return { user, browser };
  };
  const newCode = async (
    user: { id: number; home_network_id: number },
    purpose: 'activation' | 'reset' = 'activation',
  ) => {
    const network = { networkId: user.home_network_id, hours: 1 };
    const [issued] = await posted.db.transaction((tx) => issueTokens(tx, [{ userId: user.id, purpose, ...network }]));
    return issued?.token ?? '';
  };

  test('a mailed code comes first where it suffices, and an authenticator app is offered too', async () => {
    await setPolicy(posted, { mfa_options: ['google', 'email'] });
    const { user, browser } = await confirmedAgain();
    const page = await enter(posted, browser, user.email);
    expect(page.html).toContain('Send me a code');
    const setup = await browser.get(`${page.url}?with=setup`);
    const codes = await browser.submit(setup, { code: codeOf(setupKeyIn(setup)) });
    expect(isSignedIn(await browser.submit(codes))).toBe(true);
  });

  test('a person who has a factor must prove it, and cannot set up another one', async () => {
    const secret = newTotpSecret();
    const { user, browser } = await confirmedAgain({ totp_secret: posted.parts.vault.encrypt(secret) });
    const page = await enter(posted, browser, user.email);
    expect(page.html).toContain('code from your authenticator app');
    expect(setupKeyIn(await browser.get(`${page.url}?with=setup`))).toBe('');
    const code = totpCode(secret, Math.floor(Date.now() / 30_000));
    expect(isSignedIn(await browser.submit(page, { code }))).toBe(true);
    const mailing = await confirmedAgain({ email_mfa: true });
    const asked = await enter(posted, mailing.browser, mailing.user.email);
    await expectNoSetup(posted, mailing.browser, asked, mailing.user.id);
  });

  test('a link for a new password ends the proof in the browser of the activation, and makes none', async () => {
    const { user, browser } = await confirmedAgain();
    expect(await countProofs(posted, user.id)).toBe(1);
    const other = posted.browser();
    const code = await newCode(user, 'reset');
    const changed = 'a quite different battery staple';
    await posted.as(other)(confirmSignup, {
      body: { email: user.email, code, password: changed, signup_from: testOrigin },
    });
    expect(proofCookies(other)).toEqual([]);
    expect(await countProofs(posted, user.id)).toBe(0);
    for (const each of [browser, other]) {
      const form = await each.get(await newSignInUrl(posted));
      await expectNoSetup(posted, each, await each.submit(form, { email: user.email, password: changed }), user.id);
    }
  });

  test('a later activation in another browser replaces the proof', async () => {
    const { user, browser } = await confirmedAgain();
    await posted.db.update(users).set({ status: 'NonConfirmed' }).where(eq(users.id, user.id));
    const other = posted.browser();
    const code = await newCode(user);
    const body = { email: user.email, code, password: 'a quite different battery staple', signup_from: testOrigin };
    await posted.as(other)(confirmSignup, { body });
    const enterWith = async (each: Browser) =>
      each.submit(await each.get(await newSignInUrl(posted)), { email: user.email, password: body.password });
    await expectNoSetup(posted, browser, await enterWith(browser), user.id);
    expect(setupKeyIn(await enterWith(other))).not.toBe('');
  });
});

describe('THREATS: the password alone adds no first factor', () => {
  test('in a browser other than that of the activation', async () => {
    const { email, userId } = await activated();
    const thief = unposted.browser();
    await expectNoSetup(unposted, thief, await enter(unposted, thief, email), userId);
  });

  test('with the proof of another account', async () => {
    const { email, userId } = await activated();
    const own = await activated();
    const [name = ''] = proofCookies(own.browser);
    const thief = unposted.browser();
    thief.cookies.set(`activation-${userId}`, own.browser.cookies.get(name) ?? '');
    await expectNoSetup(unposted, thief, await enter(unposted, thief, email), userId);
  });

  test('after the proof has expired', async () => {
    const { email, browser, userId } = await activated();
    await unposted.db
      .update(activationProofs)
      .set({ expires_at: sql`now()` })
      .where(eq(activationProofs.user_id, userId));
    await expectNoSetup(unposted, browser, await enter(unposted, browser, email), userId);
  });

  test('with a proof that was used, once the factor is gone', async () => {
    const { email, browser, owner, networkId, userId } = await activated();
    const [name = ''] = proofCookies(browser);
    const used = browser.cookies.get(name) ?? '';
    const page = await enter(unposted, browser, email);
    await browser.submit(await browser.submit(page, { code: codeOf(setupKeyIn(page)) }));
    await owner(resetUserFactors, { body: { user_id: userId, server_id: networkId } });
    expect(await countApps(unposted, userId)).toBe(0);
    browser.cookies.set(name, used);
    await expectNoSetup(unposted, browser, await enter(unposted, browser, email), userId);
  });

  test('after the account was disabled, even if it is enabled again', async () => {
    const { email, browser, owner, userId } = await activated();
    for (const mode of ['Disable', 'Active'] as const) await owner(setUserMode, { params: { userId, mode } });
    await expectNoSetup(unposted, browser, await enter(unposted, browser, email), userId);
  });

  test('if the account is disabled while the code is checked', async () => {
    const { email, browser, userId } = await activated();
    const page = await enter(unposted, browser, email);
    const end = await runWhileLocked(
      unposted,
      sql`select from users where id = ${userId} for update`,
      () => browser.submit(page, { code: codeOf(setupKeyIn(page)) }),
      (tx) => tx.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, userId)),
    );
    expect(end).toMatchObject({ status: 'fulfilled', value: { status: 410 } });
    expect(await countApps(unposted, userId)).toBe(0);
  });

  test('a second time in another tab of the same browser', async () => {
    const { email, browser } = await activated();
    const tabs = [await enter(unposted, browser, email), await enter(unposted, browser, email)];
    const outcomes = await Promise.all(tabs.map((tab) => browser.submit(tab, { code: codeOf(setupKeyIn(tab)) })));
    expect(outcomes.filter(({ html }) => html.includes('recovery codes'))).toHaveLength(1);
  });
});

describe('THREATS: a link gives a proof to one browser only', () => {
  test('if two use it at the same time', async () => {
    const email = `${crypto.randomUUID()}@northlab.org`;
    const { code, userId } = await invite(email);
    const browsers = [unposted.browser(), unposted.browser()];
    await Promise.allSettled(browsers.map((each) => activate(unposted, each, email, code)));
    const [winner, loser] = browsers.toSorted((left, right) => proofCookies(right).length - proofCookies(left).length);
    if (!winner || !loser) throw new Error('There are two browsers.');
    expect([winner, loser].map((each) => proofCookies(each).length)).toEqual([1, 0]);
    await expectNoSetup(unposted, loser, await enter(unposted, loser, email), userId);
    expect(setupKeyIn(await enter(unposted, winner, email))).not.toBe('');
  });

  test('if it is used again', async () => {
    const { email, code } = await activated();
    const again = unposted.browser();
    await expect(activate(unposted, again, email, code)).rejects.toMatchObject({ code: 'token_used' });
    expect(proofCookies(again)).toEqual([]);
  });

  test('and none to the owner of another network who invites a person with an account', async () => {
    const { email, userId, browser } = await activated();
    const foreign = await invite(email, 'southlab');
    const attacker = unposted.browser();
    await expect(activate(unposted, attacker, email, foreign.code)).rejects.toMatchObject({ code: 'token_used' });
    expect(proofCookies(attacker)).toEqual([]);
    expect(await countProofs(unposted, foreign.userId)).toBe(0);
    await expectNoSetup(unposted, attacker, await enter(unposted, attacker, email), userId);
    expect(setupKeyIn(await enter(unposted, browser, email))).not.toBe('');
  });
});
