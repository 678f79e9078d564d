import { getLoginReach, getSettings, getSiteLogins, updateSettings } from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, sites, socialIdentities } from '../../../database/schema.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { type Browser, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password, signInto } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { postForm, setPolicy, withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { type OpenIdProvider, startOpenIdProvider, walkThrough } from '../../../testing/services/openid-provider.ts';

let provider: OpenIdProvider;
let app: TestApp;

beforeAll(async () => {
  provider = await startOpenIdProvider([{ id: 'client', secret: 'secret', names: ['work'] }]);
  const OIDC_ISSUERS = `Work=${provider.issuer}|client|secret`;
  app = await buildTestApp({ OUTBOUND_PRIVATE: 'allow', OIDC_ISSUERS });
});
afterAll(() => provider.stop());

const sitDown = (claims: Record<string, unknown>): void => {
  provider.present = newUid();
  provider.people.set(provider.present, claims);
};

/** Follows a sign-in from the application to the provider and back to us. */
const signInWithWork = async (browser: Browser, site: { id: number }) => {
  const page = await browser.get(`/saml/northlab/start/${site.id}`);
  expect(page.html).toContain('Continue with Work');
  const leaving = await browser.post(`${page.url}/with/work`, {
    csrf: /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '',
  });
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.html)?.[1] ?? '';
  return browser.get(await walkThrough(address.replaceAll('&amp;', '&')));
};

const lastLine = async () => (await app.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];

test('§2.7 login types: a sign-in with a provider is named in the log and the session', async () => {
  const user = await makeUser(app.db);
  const site = await makeSite(app.db, { custom_auth_options: ['work'] });
  sitDown({ email: user.email, email_verified: true });
  const answer = await signInWithWork(app.browser(), site);
  expect(answer.form?.fields['SAMLResponse']).toBeTruthy();
  expect(await lastLine()).toMatchObject({ login_status: 'Success', user_id: user.id, reason: 'work, linked to work' });
  const [session] = await app.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
  expect(session?.login_from).toBe('work');
  await signInWithWork(app.browser(), site);
  expect(await lastLine()).toMatchObject({ login_status: 'Success', reason: 'work' });
});

test('§2.7 login types: an unverified address is linked after the password on the page that says so', async () => {
  const user = await makeUser(app.db);
  const site = await makeSite(app.db, { custom_auth_options: ['work'] });
  sitDown({ email: user.email });
  const browser = app.browser();
  const refused = await signInWithWork(browser, site);
  expect(refused.status).toBe(403);
  expect(refused.html).toContain('Sign in with your password now, and Work will be linked to your account.');
  expect(await lastLine()).toMatchObject({ login_status: 'Failed', reason: 'work: address not verified' });
  const answer = await browser.submit(refused, { email: user.email, password });
  expect(answer.form?.fields['SAMLResponse']).toBeTruthy();
  expect(await lastLine()).toMatchObject({ reason: 'password, linked to work' });
  expect(await app.db.select().from(socialIdentities).where(eq(socialIdentities.user_id, user.id))).toHaveLength(1);
});

test('§2.7 login types: a linked account that is disabled, and a site without a password, say so on the page', async () => {
  const user = await makeUser(app.db, { user_mode: 'Disable' });
  const site = await makeSite(app.db, { custom_auth_options: ['work'], email_login: false });
  sitDown({});
  const subject = `${provider.issuer} ${provider.present}`;
  await app.db.insert(socialIdentities).values({ user_id: user.id, provider: 'work', subject });
  const refused = await signInWithWork(app.browser(), site);
  expect(refused.html).toContain('This account cannot sign in here.');
  expect(await lastLine()).toMatchObject({ login_status: 'Failed', user_id: user.id, reason: 'account disabled' });
});

describe('an authenticator that the network requires', () => {
  beforeAll(() => setPolicy(app, { mfa: 'Enable', mfa_options: ['google'] }));
  afterAll(() => setPolicy(app, { mfa: 'Disable', mfa_options: [] }));

  test.for([
    [true, 'Sign in with your email and password to set one up.'],
    [false, 'Set one up in your profile at http://localhost:8080, then sign in here again.'],
  ] as const)('is not set up after another login (email login: %s)', async ([email_login, words]) => {
    const user = await makeUser(app.db);
    const site = await makeSite(app.db, { custom_auth_options: ['work'], email_login });
    sitDown({ email: user.email, email_verified: true });
    const browser = app.browser();
    const refused = await signInWithWork(browser, site);
    expect(refused.status).toBe(403);
    expect(textOf(refused.html)).toContain(words);
    expect(await lastLine()).toMatchObject({ login_status: 'Failed', reason: 'no second factor set up' });
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    const [, token = ''] = /\/signin\/([\w-]+)\/with/.exec(refused.html) ?? [];
    expect((await browser.get(`/signin/${token}/verify?with=setup`)).status).toBe(410);
  });
});

test('a social login at the main network does not count as our own login afterwards', async () => {
  await app.db
    .update(sites)
    .set({ custom_auth_options: ['work'] })
    .where(eq(sites.kind, 'console'));
  const user = await makeUser(app.db);
  const site = await makeSite(app.db, { auth_options: ['opensocial'], email_login: false });
  sitDown({ email: user.email, email_verified: true });
  const browser = app.browser();
  const first = await browser.get(`/saml/northlab/start/${site.id}`);
  const main = await postForm(browser, first, 'with/opensocial');
  const leaving = await postForm(browser, main, 'with/work');
  const address = /http-equiv="refresh" content="0; url=([^"]+)"/.exec(leaving.html)?.[1] ?? '';
  const end = await browser.get(await walkThrough(address.replaceAll('&amp;', '&')));
  expect(end.form?.fields['SAMLResponse']).toBeTruthy();
  const [session] = await app.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
  expect(session?.login_from).toBe('work');
  await app.db.update(sites).set({ custom_auth_options: [] }).where(eq(sites.kind, 'console'));
});

describe('§2.7 email login: a site where it is off', () => {
  const sessionBy = async (draft: Parameters<typeof makeSite>[1]) => {
    const user = await makeUser(app.db);
    const site = await makeSite(app.db, { custom_auth_options: ['work'], ...draft });
    const browser = app.browser();
    sitDown({ email: user.email, email_verified: true });
    return { user, site, browser };
  };
  const byPassword = async (browser: Browser, email: string) => {
    const page = await browser.get(`/saml/northlab/start/${(await makeSite(app.db)).id}`);
    expect((await browser.submit(page, { email, password })).form?.fields['SAMLResponse']).toBeTruthy();
  };

  test('does not accept a session of our own login, and shows its own login types', async () => {
    const { user, site, browser } = await sessionBy({ email_login: false });
    await byPassword(browser, user.email);
    const page = await browser.get(`/saml/northlab/start/${site.id}`);
    expect(page.form?.fields['SAMLResponse']).toBeUndefined();
    expect(page.html).toContain('Continue with Work');
    expect(page.html).not.toContain('type="password"');
    const passive = await ServiceProvider.of(app, site, { passive: true });
    const answer = await browser.get(await passive.signInUrl());
    const xml = Buffer.from(answer.form?.fields['SAMLResponse'] ?? '', 'base64').toString();
    expect(xml).toContain('status:NoPassive');
    // A login type of the site signs in, and then its session is accepted.
    expect((await signInWithWork(browser, site)).form?.fields['SAMLResponse']).toBeTruthy();
    const again = await browser.get(`/saml/northlab/start/${site.id}`);
    expect(again.form?.fields['SAMLResponse']).toBeTruthy();
    expect(await lastLine()).toMatchObject({ login_status: 'Success', reason: 'session' });
  });

  test('accepts it if the site accepts a login at the main network', async () => {
    const { user, site, browser } = await sessionBy({ email_login: false, auth_options: ['opensocial'] });
    await byPassword(browser, user.email);
    const page = await browser.get(`/saml/northlab/start/${site.id}`);
    expect(page.form?.fields['SAMLResponse']).toBeTruthy();
  });

  test('ends a sign-in in progress when it is switched off', async () => {
    const { site, browser } = await sessionBy({ email_login: true });
    const { user, code } = await withTotp(app);
    const first = await browser.get(`/saml/northlab/start/${site.id}`);
    const page = await browser.submit(first, { email: user.email, password });
    await app.db.update(sites).set({ email_login: false }).where(eq(sites.id, site.id));
    const end = await browser.submit(page, { code: code() });
    expect(end.status).toBe(410);
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
  });
});

describe('§2.7 a site with email login off and no other login that works', () => {
  test('explains the problem on its sign-in page, and says to ask the administrator', async () => {
    const site = await makeSite(app.db, {
      email_login: false,
      auth_options: ['facebook'],
      domain_level_settings: false,
      help_email: 'help@northlab.org',
    });
    const page = await app.browser().get(`/saml/northlab/start/${site.id}`);
    expect(page.status).toBe(200);
    expect(textOf(page.html)).toContain('Nobody can sign in here at the moment');
    expect(page.html).toContain('mailto:help@northlab.org');
    const other = await makeSite(app.db, { email_login: false });
    const plain = await app.browser().get(`/saml/northlab/start/${other.id}`);
    expect(textOf(plain.html)).toContain('ask an administrator of this network');
  });

  test('is refused when the site or the keys of the network are saved', async () => {
    const call = app.as(await signInto(app.db, app.browser(), await makeUser(app.db, { owns: ['northlab'] })));
    const site = await makeSite(app.db, { email_login: false, auth_options: ['facebook', 'google'] });
    const usable = async (auth_options: string, custom_auth_options = '') =>
      (await call(getSiteLogins, { params: { site_id: site.id }, query: { auth_options, custom_auth_options } }))
        .usable;
    expect(await usable('facebook,azure', 'nobody')).toEqual([]);
    expect(await usable('facebook', 'work')).toEqual(['work']);
    expect(await usable('opensocial')).toEqual(['opensocial']);
    const params = { server: 'northlab' };
    const settings = await call(getSettings, { params });
    const keys = { google_key: 'id', google_secret: 'secret' };
    await call(updateSettings, { params, body: { ...settings, server: 'northlab', ...keys } });
    expect(await usable('facebook,google')).toEqual(['google']);
    expect(await call(getLoginReach, { params, query: { keys: '' } })).toEqual({
      count: 1,
      sites: [{ id: site.id, site_name: site.site_name, domain: site.domain }],
    });
    expect(await call(getLoginReach, { params, query: { keys: 'google' } })).toEqual({ count: 0, sites: [] });
  });
});
