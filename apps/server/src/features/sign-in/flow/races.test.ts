import {
  beginPasskey,
  changePassword,
  confirmSignup,
  createPasskey,
  getMfaSecret,
  getSession,
  submitToken,
} from '@opensocial/contract';
import { and, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  consoleSessions,
  identitySessions,
  passkeys,
  socialIdentities,
  throttles,
  users,
} from '../../../database/schema.ts';
import { hashPassword, verifyPassword } from '../../../secrets/passwords.ts';
import { newUid } from '../../../secrets/tokens.ts';
import type { Browser, Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password, signInto } from '../../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../../testing/app/queued-mails.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import {
  isSignedIn,
  newSignInUrl,
  postForm,
  proveAddress,
  runWhileLocked,
  setPolicy,
  setupKeyIn,
} from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { codeOf } from '../../../testing/services/authenticator.ts';
import { type OpenIdProvider, startOpenIdProvider, walkThrough } from '../../../testing/services/openid-provider.ts';
import { PasskeyDevice } from '../../../testing/services/passkey-device.ts';
import { unlinkAccount } from '../../social/social.service.ts';
import { endOtherSessions, storePassword } from '../../users/users.passwords.service.ts';
import { endSessions } from '../../users/users.queries.ts';
import { issueTokens } from '../../users/users.service.ts';

let provider: OpenIdProvider;
let testApp: TestApp;
beforeAll(async () => {
  provider = await startOpenIdProvider([{ id: 'client', secret: 'secret', names: ['work'] }]);
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow', OIDC_ISSUERS: `Work=${provider.issuer}|client|secret` });
});
afterAll(() => provider.stop());
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await setPolicy(testApp, {
    mfa: 'Disable',
    mfa_options: [],
    mfa_remember_days: 0,
    password_expiration: 0,
    sign_up: 'Disable',
    password_length: null,
    password_complexity: [],
  });
});
const row = async (id: number) => (await testApp.db.select().from(users).where(eq(users.id, id)))[0];

const lockedUserRow = (id: number) => sql`select from users where id = ${id} for no key update`;
const ownersNew = 'the new one of its owner';
const thiefsNew = 'the new one of the thief';

describe('a new password that its owner sets', () => {
  test('is not overwritten by a concurrent change of the old one during a sign-in', async () => {
    const user = await makeUser(testApp.db, { password_changed_at: new Date(Date.now() - 200 * 86_400_000) });
    await setPolicy(testApp, { password_expiration: 3 });
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(await newSignInUrl(testApp)), { email: user.email, password });
    expect(page.url).toContain('/password');
    const hash = await hashPassword(ownersNew);
    await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => browser.submit(page, { password: thiefsNew, confirmation: thiefsNew }),
      (tx) => storePassword(tx, testApp.parts, user, hash),
    );
    expect(await verifyPassword((await row(user.id))?.password_hash, thiefsNew)).toBe(false);
    expect(await verifyPassword((await row(user.id))?.password_hash, ownersNew)).toBe(true);
  });

  test('is not overwritten by a concurrent change of the old one in a session that has ended', async () => {
    const user = await makeUser(testApp.db);
    const browser = await signInto(testApp.db, testApp.browser(), user);
    const call = testApp.as(browser);
    const hash = await hashPassword(ownersNew);
    const end = await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => call(changePassword, { body: { email: user.email, current_password: password, password: thiefsNew } }),
      (tx) => storePassword(tx, testApp.parts, user, hash),
    );
    expect(await verifyPassword((await row(user.id))?.password_hash, thiefsNew), JSON.stringify(end)).toBe(false);
    expect(await verifyPassword((await row(user.id))?.password_hash, ownersNew)).toBe(true);
  });

  test('ends a session before it adds a passkey', async () => {
    const user = await makeUser(testApp.db);
    const call = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const passkey = new PasskeyDevice().make(await call(beginPasskey, {}));
    const hash = await hashPassword(ownersNew);
    const end = await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => call(createPasskey, { body: { name: 'mine', passkey } }),
      (tx) => storePassword(tx, testApp.parts, user, hash),
    );
    expect(await testApp.db.$count(consoleSessions, eq(consoleSessions.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(passkeys, eq(passkeys.user_id, user.id)), JSON.stringify(end)).toBe(0);
  });

  test('ends a session before it sets an authenticator up', async () => {
    const user = await makeUser(testApp.db);
    const call = testApp.as(await signInto(testApp.db, testApp.browser(), user));
    const { key } = await call(getMfaSecret, { params: { username: user.email } });
    const hash = await hashPassword(ownersNew);
    const end = await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => call(submitToken, { body: { secret: key, token: codeOf(key), email: user.email } }),
      (tx) => storePassword(tx, testApp.parts, user, hash),
    );
    expect((await row(user.id))?.totp_secret, JSON.stringify(end)).toBeNull();
  });

  test('ends a sign-in before it sets an authenticator up', async () => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const verify = await browser.submit(await browser.get(await newSignInUrl(testApp)), {
      email: user.email,
      password,
    });
    const page = await proveAddress(testApp, browser, verify);
    const key = setupKeyIn(page);
    const hash = await hashPassword(ownersNew);
    await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => browser.submit(page, { code: codeOf(key) }),
      (tx) => storePassword(tx, testApp.parts, user, hash),
    );
    expect((await row(user.id))?.totp_secret).toBeNull();
  });
});

const sitDown = (claims: Record<string, unknown>): string => {
  provider.present = newUid();
  provider.people.set(provider.present, claims);
  return `${provider.issuer} ${provider.present}`;
};
const toWork = async (browser: Browser, page: Page) => {
  const leaving = await postForm(browser, page, 'with/work');
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.html)?.[1] ?? '';
  return walkThrough(address.replaceAll('&amp;', '&'));
};

describe('a linked login', () => {
  test('that is unlinked in the meantime opens no session', async () => {
    const user = await makeUser(testApp.db);
    const subject = sitDown({});
    const [link] = await testApp.db
      .insert(socialIdentities)
      .values({ user_id: user.id, provider: 'work', subject })
      .returning();
    const browser = testApp.browser();
    const back = await toWork(
      browser,
      await browser.get(await newSignInUrl(testApp, { custom_auth_options: ['work'] })),
    );
    await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => browser.get(back),
      async (tx) => {
        await unlinkAccount(tx, testApp.parts, user, link?.id ?? 0);
        await endOtherSessions(tx, testApp.parts.jobs, user.id);
      },
    );
    expect(await testApp.db.$count(socialIdentities, eq(socialIdentities.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
  });

  test('that is pending in a sign-in is dropped when another person signs in', async () => {
    const victim = await makeUser(testApp.db);
    const browser = testApp.browser();
    // A person whose account at the provider has an address that is not theirs.
    sitDown({ email: victim.email });
    const refused = await browser.get(
      await toWork(browser, await browser.get(await newSignInUrl(testApp, { custom_auth_options: ['work'] }))),
    );
    // They sign in as themselves up to the second factor. Then another person uses the browser.
    expect(refused.status).toBe(403);
    const [, token = ''] = /action="\/signin\/([\w-]+)/.exec(refused.html) ?? [];
    const csrf = /name="csrf" value="([^"]+)"/.exec(refused.html)?.[1] ?? '';
    const again = await browser.post(`/signin/${token}/again`, { csrf });
    expect(again.html).not.toContain('will be linked');
    expect(isSignedIn(await browser.submit(again, { email: victim.email, password }))).toBe(true);
    expect(await testApp.db.$count(socialIdentities, eq(socialIdentities.user_id, victim.id))).toBe(0);
  });
});

describe('an account that is disabled in the meantime', () => {
  test('gets neither a response nor a session', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await browser.get(await newSignInUrl(testApp));
    const end = await runWhileLocked(
      testApp,
      lockedUserRow(user.id),
      () => browser.submit(first, { email: user.email, password }),
      async (tx) => {
        await endSessions(tx, testApp.parts.jobs, user.id);
        await tx.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, user.id));
      },
    );
    expect('value' in end && isSignedIn(end.value)).toBe(false);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
  });
});

describe('another person who signs in in the same browser', () => {
  test('ends the console session of the previous person', async () => {
    const [former, next] = [await makeUser(testApp.db), await makeUser(testApp.db)];
    const browser = testApp.browser();
    await browser.submit(
      await browser.submit(await browser.get('/server/saml/login'), { email: former.email, password }),
    );
    expect((await testApp.as(browser)(getSession, {})).user).toMatchObject({ username: former.email });
    // At another application, which forces a new sign-in.
    const application = await ServiceProvider.of(testApp, await makeSite(testApp.db), { forceAuthn: true });
    expect(
      isSignedIn(
        await browser.submit(await browser.get(await application.signInUrl()), { email: next.email, password }),
      ),
    ).toBe(true);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, former.id))).toBe(0);
    expect((await testApp.as(browser)(getSession, {})).user).toBe('no session');
  });
});

describe('the first password', () => {
  test('follows the rules of the network whose link it is, which becomes the home network', async () => {
    const user = await makeUser(testApp.db, { status: 'NonConfirmed', password_hash: null, provisional: true });
    await setPolicy(testApp, { password_length: 32 });
    await setPolicy(testApp, { password_length: 8, sign_up: 'Enable' }, 'southlab');
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const browser = testApp.browser();
    const page = await browser.get(`/saml/southlab/start/${site.id}`);
    const mails = await mailsQueuedBy(testApp, () =>
      postForm(browser, page, 'sign-up', { email: user.email, firstname: 'A', lastname: 'B' }),
    );
    const link = /https?:\/\/\S+set-password\S+/.exec(mails[0]?.text ?? '')?.[0] ?? '';
    const code = new URL(link).searchParams.get('token') ?? '';
    const confirm = (given: string) =>
      testApp.as(testApp.browser())(confirmSignup, {
        body: { email: user.email, code, password: given, signup_from: testOrigin },
      });
    await expect(confirm('kT9x-')).rejects.toMatchObject({ code: 'password_refused' });
    await confirm('kT9x-short');
    const [account] = await testApp.db
      .select()
      .from(users)
      .where(and(eq(users.email, user.email), eq(users.provisional, false)));
    expect(account?.home_network_id).toBe(site.network_id);
  });

  test('of one address can be set by only one of two concurrent links of two networks, 40 times', async () => {
    for (let round = 0; round < 40; round += 1) {
      const email = `${crypto.randomUUID()}@two-links.org`;
      const links: string[] = [];
      for (const network of ['northlab', 'southlab']) {
        const invited = await makeUser(testApp.db, {
          network,
          email,
          status: 'NonConfirmed',
          password_hash: null,
          provisional: true,
        });
        const [issued] = await issueTokens(testApp.db, [
          { userId: invited.id, networkId: invited.home_network_id, purpose: 'activation', hours: 1 },
        ]);
        links.push(issued?.token ?? '');
      }
      const outcomes = await Promise.allSettled(
        links.map((code) =>
          testApp.as(testApp.browser())(confirmSignup, {
            body: { email, code, password: 'a first one that is long enough to pass', signup_from: testOrigin },
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await testApp.db.$count(users, and(eq(users.email, email), eq(users.provisional, false)))).toBe(1);
    }
  });
});
