import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sites, socialIdentities, users } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeUser } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { giveKeys, makeSocialSite, type Outcome, startSocialFlow, switchOff } from '../../testing/app/social-flow.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import {
  type Claims,
  type OpenIdProvider,
  startOpenIdProvider,
  walkThrough,
} from '../../testing/services/openid-provider.ts';
import { wellKnown } from './social.providers.ts';
import { completeSocialLink } from './social.service.ts';

const northlab = { id: 'northlab-client', secret: 'northlab-secret' };
const southlab = { id: 'southlab-client', secret: 'southlab-secret' };
const forged = { id: 'forged-client', secret: 'forged-secret' };
const member = { id: 'linkedin-client', secret: 'linkedin-secret' };
const named = { id: 'named-client', secret: 'named-secret' };

let google: OpenIdProvider;
let microsoft: OpenIdProvider;
let app: TestApp;
let flow: Awaited<ReturnType<typeof startSocialFlow>>;
let site: Awaited<ReturnType<typeof makeSocialSite>>;

beforeAll(async () => {
  google = await startOpenIdProvider([
    { ...northlab, names: ['google'] },
    { ...southlab, names: ['google'] },
    { ...forged, names: ['google'] },
    { ...member, names: ['linkedin'], hasNoPkce: true },
  ]);
  microsoft = await startOpenIdProvider([{ ...named, names: ['azure', 'work'] }], { hasClaimsInToken: true });
  const keys = `${microsoft.issuer}|${named.id}|${named.secret}`;
  app = await buildTestApp({ OUTBOUND_PRIVATE: 'allow', OIDC_ISSUERS: `azure=${keys} Work=${keys}` });
  flow = await startSocialFlow(app, {
    ...wellKnown,
    google: { ...wellKnown.google, issuer: google.issuer },
    linkedin: { ...wellKnown.linkedin, issuer: google.issuer },
  });
  await giveKeys(app, 'northlab', 'google', northlab);
  await giveKeys(app, 'northlab', 'linkedin', member);
  await giveKeys(app, 'southlab', 'google', southlab);
  site = await makeSocialSite(app, ['google', 'linkedin']);
});
afterAll(async () => {
  await google.stop();
  await microsoft.stop();
});

/** Registers a person at a provider, who is signed in there. */
const sitDown = (provider: OpenIdProvider, claims: Claims): string => {
  const subject = newUid();
  provider.people.set(subject, claims);
  provider.present = subject;
  return subject;
};

const verified = (email: string): Claims => ({ email, email_verified: true, given_name: 'Ana', family_name: 'Moreno' });

/** The whole flow: the button, the provider, and the callback. `change` runs on the way. */
const signInWith = async (
  name: string,
  at: { id: number; network_id: number } = site,
  change: (url: URL) => void = () => undefined,
): Promise<Outcome> => {
  const { browser, token } = await flow.begin(at);
  const url = await flow.press(browser, token, name);
  change(url);
  return flow.comeBack(browser, await walkThrough(url.href));
};

const linksOf = (userId: number) => app.db.select().from(socialIdentities).where(eq(socialIdentities.user_id, userId));

describe('§2.7 social login: a person with an address that Google has verified', () => {
  test('signs in to the account of the verified address, which is linked, and its owner is notified', async () => {
    const user = await makeUser(app.db);
    const subject = sitDown(google, verified(user.email.toUpperCase()));
    const mails = await mailsQueuedBy(app, async () => {
      expect(await signInWith('google')).toEqual({
        status: 200,
        userId: user.id,
        loginFrom: 'google',
        linked: 'google',
      });
    });
    expect(mails).toEqual([expect.objectContaining({ to: user.email, subject: 'Google was linked to your account' })]);
    expect(await linksOf(user.id)).toEqual([expect.objectContaining({ provider: 'google', subject })]);
  });

  test('is recognised by the subject from then on, whatever the address is', async () => {
    const [user, other] = [await makeUser(app.db), await makeUser(app.db)];
    const subject = sitDown(google, verified(user.email));
    await signInWith('google');
    google.people.set(subject, verified(other.email));
    const mails = await mailsQueuedBy(app, async () => {
      expect(await signInWith('google')).toEqual({ status: 200, userId: user.id, loginFrom: 'google' });
    });
    expect(mails).toEqual([]);
    expect(await linksOf(other.id)).toEqual([]);
  });

  test('is sent with state, nonce and challenge to the provider, and back to the one address', async () => {
    const { browser, token } = await flow.begin(site);
    const { origin, searchParams } = await flow.press(browser, token, 'google');
    expect(origin).toBe(google.issuer);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: northlab.id,
      redirect_uri: 'http://localhost:8080/signin/callback/google',
      scope: 'openid email profile',
      state: expect.stringMatching(/^[\w-]{80,}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(searchParams.get('state')).not.toContain(token);
  });

  test.for([
    ['no account', undefined],
    ['an account that is not confirmed', { status: 'NonConfirmed' }],
    ['an account that is disabled', { user_mode: 'Disable' }],
    ['an account of another network', { network: 'southlab' }],
  ] as const)('and who has %s is refused with the same text', async ([, draft]) => {
    const user = draft && (await makeUser(app.db, draft));
    sitDown(google, verified(user?.email ?? 'nobody@northlab.org'));
    expect(await signInWith('google')).toEqual({
      status: 403,
      message: 'There is no account for this address in this network.',
      reason: 'google: no account',
    });
    expect(user ? await linksOf(user.id) : []).toEqual([]);
  });

  test('signs in with LinkedIn too, which supports neither challenge nor nonce', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const seen: string[] = [];
    const outcome = await signInWith('linkedin', site, ({ searchParams }) => seen.push(...searchParams.keys()));
    expect(outcome).toMatchObject({ userId: user.id, loginFrom: 'linkedin' });
    expect(seen.toSorted()).toEqual(['client_id', 'redirect_uri', 'response_type', 'scope', 'state']);
  });
});

describe('§2.7 social login: an answer', () => {
  test('is accepted once, also of two concurrent ones', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const { browser, token } = await flow.begin(site);
    const answer = await walkThrough((await flow.press(browser, token, 'google')).href);
    const both = await Promise.all([flow.comeBack(browser, answer), flow.comeBack(browser, answer)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 403]));
    expect(await flow.comeBack(browser, answer)).toMatchObject({
      message: 'This answer from Google was already used. Please start again.',
      reason: 'google: answer used',
    });
  });

  test('without a state, or with one that is not ours, belongs to no sign-in', async () => {
    const { browser, token } = await flow.begin(site);
    const answer = new URL(await walkThrough((await flow.press(browser, token, 'google')).href));
    for (const state of [undefined, '', token, app.parts.vault.seal({ to: 'somebody' })]) {
      if (state === undefined) answer.searchParams.delete('state');
      else answer.searchParams.set('state', state);
      const { status, message } = await flow.comeBack(browser, answer.href);
      expect(status).toBe(400);
      expect(message).toContain('The answer does not belong to a sign-in in progress.');
    }
    expect((await flow.comeBack(browser, `${answer.href}&state=a&state=b`)).status).toBe(400);
  });

  test('to an earlier attempt of the same sign-in is refused, and the later one is still valid', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const { browser, token } = await flow.begin(site);
    const earlier = await walkThrough((await flow.press(browser, token, 'google')).href);
    const later = await walkThrough((await flow.press(browser, token, 'google')).href);
    expect(await flow.comeBack(browser, earlier)).toEqual({
      status: 403,
      message: 'This answer from Google belongs to another sign-in. Please start again.',
      reason: 'google: another state',
    });
    expect(await flow.comeBack(browser, later)).toMatchObject({ userId: user.id });
  });

  test('is useless in another browser', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const [mine, victim] = [await flow.begin(site), await flow.begin(site)];
    const answer = await walkThrough((await flow.press(mine.browser, mine.token, 'google')).href);
    await flow.press(victim.browser, victim.token, 'google');
    expect((await flow.comeBack(victim.browser, answer)).status).toBe(410);
  });

  test('of one provider is not accepted as the answer of another', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const { browser, token } = await flow.begin(site);
    const answer = await walkThrough((await flow.press(browser, token, 'google')).href);
    const mixed = await flow.comeBack(browser, answer.replace('/callback/google', '/callback/linkedin'));
    expect(mixed).toMatchObject({ status: 403, reason: 'linkedin: another state' });
  });

  test('that reports cancellation or an error is shown as such', async () => {
    google.present = undefined;
    expect(await signInWith('google')).toEqual({
      status: 403,
      message: 'You were not signed in, because the sign-in was cancelled at Google.',
      reason: 'google: access_denied',
    });
    const { browser, token } = await flow.begin(site);
    const state = (await flow.press(browser, token, 'google')).searchParams.get('state') ?? '';
    const error = new URLSearchParams({ state, error: 'a secret <b>', iss: google.issuer });
    expect(await flow.comeBack(browser, `/signin/callback/google?${error}`)).toEqual({
      status: 403,
      message: 'Google did not sign you in. Please try again, or sign in another way.',
      reason: 'google: unreadable',
    });
  });

  test('with another nonce, or without the challenge, cannot be verified', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const changes = { nonce: 'OAUTH_JWT_CLAIM_COMPARISON_FAILED', code_challenge: 'invalid_grant' };
    for (const [parameter, code] of Object.entries(changes)) {
      const other = newUid() + newUid().slice(0, 11);
      expect(await signInWith('google', site, (url) => url.searchParams.set(parameter, other))).toEqual({
        status: 403,
        message: 'The answer from Google could not be verified. Please try again, or sign in another way.',
        reason: `google: answer not verified (${code})`,
      });
    }
    expect(await linksOf(user.id)).toEqual([]);
  });

  test('whose userinfo is about another person cannot be verified', async () => {
    const user = await makeUser(app.db);
    sitDown(google, {});
    google.instead.set('/me', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ sub: 'somebody-else', ...verified(user.email) }));
    });
    const outcome = await signInWith('google').finally(() => google.instead.delete('/me'));
    expect(outcome.reason).toMatch(/^google: answer not verified \(OAUTH_/);
    expect(await linksOf(user.id)).toEqual([]);
  });

  test('that the provider has not signed cannot be verified', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    await giveKeys(app, 'northlab', 'google', forged);
    google.instead.set('/jwks', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: [] }));
    });
    const outcome = await signInWith('google').finally(() => google.instead.delete('/jwks'));
    await giveKeys(app, 'northlab', 'google', northlab);
    expect(outcome.reason).toMatch(/^google: answer not verified \(OAUTH_/);
    expect(await linksOf(user.id)).toEqual([]);
  });

  test('of a provider that hangs runs into our usual timeout', async () => {
    sitDown(google, verified('ana@northlab.org'));
    google.instead.set('/token', () => undefined);
    const outcome = await signInWith('google').finally(() => google.instead.delete('/token'));
    expect(outcome).toEqual({
      status: 403,
      message: 'Google cannot be reached at the moment. Please try again, or sign in another way.',
      reason: 'google: not reached',
    });
  });
});

describe('§2.7 social login: a provider', () => {
  test('that was switched off meanwhile is refused', async () => {
    const user = await makeUser(app.db);
    sitDown(google, verified(user.email));
    const closing = await makeSocialSite(app, ['google']);
    const { browser, token } = await flow.begin(closing);
    const answer = await walkThrough((await flow.press(browser, token, 'google')).href);
    await switchOff(app, closing);
    expect(await flow.comeBack(browser, answer)).toEqual({
      status: 403,
      message: 'This sign-in method is no longer offered here.',
      reason: 'login type not offered',
    });
    expect(await linksOf(user.id)).toEqual([]);
  });

  test.for(['github', 'azure', 'work', 'opensocial', 'nonsense', '__proto__', 'constructor'])(
    'that the site does not offer cannot be begun: %s',
    async (name) => {
      const { browser, token } = await flow.begin(site);
      const page = await browser.post(`/signin/${token}/with/${name}`, { csrf: 'proof' });
      expect(page).toMatchObject({ status: 403, html: expect.stringContaining('not offered') });
    },
  );

  test('is begun by our own form only', async () => {
    const { browser, token, readSignIn } = await flow.begin(site);
    expect((await browser.post(`/signin/${token}/with/google`, {})).status).toBe(403);
    expect((await browser.get(`/signin/${token}/with/google`)).status).toBe(404);
    expect((await readSignIn()).social).toBeNull();
  });

  test("§2.10 is used with the keys of the site's network, and with no others", async () => {
    const user = await makeUser(app.db, { network: 'southlab' });
    sitDown(google, verified(user.email));
    const theirs = await makeSocialSite(app, ['google', 'linkedin'], [], 'southlab');
    google.askedBy.length = 0;
    expect(await signInWith('google', theirs)).toMatchObject({ userId: user.id });
    expect(google.askedBy).toEqual([southlab.id]);
    // Northlab has keys for LinkedIn, southlab has none.
    await expect(signInWith('linkedin', theirs)).rejects.toThrow('not offered');
  });

  test('§2.10 that refuses the keys is recorded in the log', async () => {
    sitDown(google, verified('ana@northlab.org'));
    await giveKeys(app, 'northlab', 'google', { id: northlab.id, secret: 'an old secret' });
    const outcome = await signInWith('google').finally(() => giveKeys(app, 'northlab', 'google', northlab));
    expect(outcome.reason).toBe('google: answer not verified (invalid_client)');
  });

  test('in a private network is not called, unless that is allowed', async () => {
    const guarded = await buildTestApp();
    await giveKeys(guarded, 'northlab', 'google', { id: 'guarded-client', secret: 'guarded-secret' });
    const there = await startSocialFlow(guarded, {
      ...wellKnown,
      google: { ...wellKnown.google, issuer: google.issuer.replace('http:', 'https:') },
    });
    const { browser, token } = await there.begin(await makeSocialSite(guarded, ['google']));
    const page = await browser.post(`/signin/${token}/with/google`, { csrf: 'proof' });
    expect(JSON.parse(page.html)).toEqual({
      message: 'Google cannot be reached at the moment. Please try again, or sign in another way.',
      reason: 'google: not reached',
    });
  });
});

describe('§2.7 social login: an address that the provider has not verified', () => {
  const refusal = {
    status: 403,
    message:
      'Google does not confirm that this email address is yours. Sign in with your password now, and Google will be linked to your account.',
    reason: 'google: address not verified',
  };

  test.for([{ email_verified: false }, { email_verified: 'false' }, { email_verified: null }, {}])(
    'links nothing: %o',
    async (claims) => {
      const user = await makeUser(app.db);
      sitDown(google, { email: user.email, ...claims });
      expect(await signInWith('google')).toEqual(refusal);
      expect(await linksOf(user.id)).toEqual([]);
    },
  );

  test('is linked once the account of that address is proven in the same sign-in, and no other account', async () => {
    const [user, other] = [await makeUser(app.db), await makeUser(app.db)];
    const subject = sitDown(google, { email: user.email, email_verified: false });
    const { browser, token, readSignIn } = await flow.begin(site);
    const answer = await walkThrough((await flow.press(browser, token, 'google')).href);
    expect(await completeSocialLink(app.parts, await readSignIn(), user)).toBeUndefined();
    await flow.comeBack(browser, answer);
    const signIn = await readSignIn();
    expect(JSON.stringify(signIn.social)).not.toContain(subject);
    expect(await completeSocialLink(app.parts, signIn, other)).toBeUndefined();
    const mails = await mailsQueuedBy(app, async () => {
      expect(await completeSocialLink(app.parts, signIn, user)).toBe('google');
    });
    expect(mails).toHaveLength(1);
    expect(await linksOf(user.id)).toEqual([expect.objectContaining({ provider: 'google', subject })]);
    expect(await signInWith('google')).toEqual({ status: 200, userId: user.id, loginFrom: 'google' });
  });

  test('cannot be linked by a password if the site accepts none', async () => {
    const without = await makeSocialSite(app, ['google']);
    await app.db.update(sites).set({ email_login: false }).where(eq(sites.id, without.id));
    sitDown(google, { email: (await makeUser(app.db)).email });
    expect((await signInWith('google', without)).message).toBe(
      'Google does not confirm that this email address is yours. Please sign in another way.',
    );
  });

  test('that is missing is refused, with an explanation', async () => {
    sitDown(google, { email: 'not an address', email_verified: true });
    expect(await signInWith('google')).toMatchObject({ status: 403, reason: 'google: no address' });
  });
});

describe('§2.7 social login: an issuer of the configuration', () => {
  test('named azure is trusted with an address only if Microsoft says that the tenant owns its domain', async () => {
    const user = await makeUser(app.db);
    const azure = await makeSocialSite(app, ['azure']);
    const subject = sitDown(microsoft, { email: user.email });
    expect(await signInWith('azure', azure)).toMatchObject({ status: 403, reason: 'azure: address not verified' });
    microsoft.people.set(subject, { email: user.email, xms_edov: true });
    expect(await signInWith('azure', azure)).toMatchObject({ userId: user.id, loginFrom: 'azure', linked: 'azure' });
    expect(await linksOf(user.id)).toEqual([
      expect.objectContaining({ provider: 'azure', subject: `${microsoft.issuer} ${subject}` }),
    ]);
  });

  test('is offered by its name among the custom options, and forces a new sign-in if the site requires it', async () => {
    const user = await makeUser(app.db);
    const custom = await makeSocialSite(app, [], ['WORK', 'unknown']);
    sitDown(microsoft, verified(user.email));
    expect(await signInWith('work', custom)).toMatchObject({ userId: user.id, loginFrom: 'work' });
    const { browser, token } = await flow.begin(custom, { is_forced: true });
    expect((await flow.press(browser, token, 'work')).searchParams.get('prompt')).toBe('login');
  });

  test('is unlinked with its account: the same person then has none', async () => {
    const user = await makeUser(app.db);
    const custom = await makeSocialSite(app, [], ['work']);
    sitDown(microsoft, verified(user.email));
    await signInWith('work', custom);
    await app.db.delete(users).where(eq(users.id, user.id));
    expect(await signInWith('work', custom)).toMatchObject({ status: 403, reason: 'work: no account' });
  });
});
