import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { buildAuthnRequest, newSamlId, readPost, redirectUrl } from '@opensocial/saml';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  identitySessions,
  loginLog,
  memberships,
  networkSettings,
  networks,
  sites,
  siteVisits,
  throttles,
  users,
} from '../../../database/schema.ts';
import { countedAddress } from '../../../http/address.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { makeProviderKey, ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';

type Site = typeof sites.$inferSelect;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});
// All browsers of this file share one address.
beforeEach(async () => {
  await testApp.db.delete(throttles);
});

const siteWithProvider = async (
  draft: Parameters<typeof makeSite>[1] = {},
  changes: Parameters<typeof ServiceProvider.of>[2] = {},
) => {
  const site = await makeSite(testApp.db, draft);
  return { site, provider: await ServiceProvider.of(testApp, site, changes) };
};

const signIn = async (browser: Browser, url: string, email: string): Promise<Page> =>
  browser.submit(await browser.get(url), { email, password });

const statusOf = (page: Page): string => {
  const { xml } = readPost(page.form?.fields ?? {});
  return [...xml.matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:(\w+)"/g)]
    .map(([, code]) => code)
    .join(' ');
};

/** A request of a registered service provider, with changes. */
const requestUrl = (draft: Partial<Parameters<typeof buildAuthnRequest>[0]>) => {
  const location = `${testOrigin}/saml/northlab/sso`;
  const xml = buildAuthnRequest({
    id: newSamlId(),
    issuer: '',
    destination: location,
    acsUrl: '',
    issueInstant: new Date(),
    ...draft,
  });
  return redirectUrl({ location, kind: 'SAMLRequest', xml });
};

const accountKey = (email: string) => `account:${createHash('sha256').update(email).digest('hex')}`;

const lastLine = async () => (await testApp.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];

describe('signing in', () => {
  test('a service provider gets the user, with the redirect binding', async () => {
    const { provider, site } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const group = await makeGroup(testApp.db, { name: 'Readers & <Writers>', users: [user.id], sites: [site.id] });
    const page = await signIn(testApp.browser(), await provider.signInUrl(), user.email);
    const profile = await provider.receive(page);
    expect(profile).toMatchObject({
      nameID: user.email,
      issuer: `${testOrigin}/saml/northlab/metadata`,
      uid: user.uid,
      email: user.email,
      firstname: 'Ana',
      lastname: 'Moreno',
      fullname: 'Ana Moreno',
      groups: group.name,
      network: 'northlab',
    });
    expect(page.headers['content-security-policy']).toContain("script-src 'sha256-");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
  });

  test('a service provider gets the user, with the POST binding', async () => {
    const { provider } = await siteWithProvider({}, { authnRequestBinding: 'HTTP-POST', skipRequestCompression: true });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const again = await browser.post('/saml/northlab/sso', await provider.signInFields('from post'));
    expect(again.form?.action).toBe(`${testOrigin}/saml/northlab/sso`);
    const page = await browser.submit(await browser.submit(again), { email: user.email, password });
    expect(page.form?.fields['RelayState']).toBe('from post');
    expect(await provider.receive(page)).toMatchObject({ nameID: user.email });
  });

  test('a live session is answered at once, and logged each time', async () => {
    const { provider, site } = await siteWithProvider();
    const other = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await signIn(browser, await provider.signInUrl(), user.email);
    const profile = await other.provider.receive(await browser.get(await other.provider.signInUrl()));
    expect(profile).toMatchObject({ nameID: user.email });
    expect(await lastLine()).toMatchObject({
      site: other.site.domain,
      email: user.email,
      login_status: 'Success',
      reason: 'session',
      ip_address: '127.0.0.1',
    });
    const visits = await testApp.db.select().from(siteVisits).where(eq(siteVisits.user_id, user.id));
    expect(new Set(visits.map((visit) => visit.site_id))).toEqual(new Set([site.id, other.site.id]));
  });

  test('§2.8 a sign-in counts in the network of the site, and at the console in the home network too', async () => {
    const { site } = await siteWithProvider({ network: 'southlab' });
    const user = await makeUser(testApp.db, { alsoIn: ['southlab', 'opensocial'] });
    const signedInTo = async () => {
      const rows = await testApp.db
        .select({ name: networks.name, at: memberships.last_login_at })
        .from(memberships)
        .innerJoin(networks, eq(networks.id, memberships.network_id))
        .where(eq(memberships.user_id, user.id));
      return rows
        .filter(({ at }) => at !== null)
        .map(({ name }) => name)
        .toSorted();
    };
    const browser = testApp.browser();
    await signIn(browser, `/saml/southlab/start/${site.id}`, user.email);
    expect(await signedInTo()).toEqual(['southlab']);
    await browser.get('/server/saml/login');
    expect(await signedInTo()).toEqual(['northlab', 'opensocial', 'southlab']);
  });

  test('RelayState is returned byte for byte, even if it is long', async () => {
    const relayState = `${'x'.repeat(500)} +&"'<>%20é😀/?=#`;
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const page = await signIn(testApp.browser(), await provider.signInUrl(relayState), user.email);
    expect(page.form?.fields['RelayState']).toBe(relayState);
  });

  test('ForceAuthn requires a new sign-in, and the response has its time', async () => {
    const { provider, site } = await siteWithProvider();
    const forcing = await ServiceProvider.of(testApp, site, { forceAuthn: true });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await provider.receive(await signIn(browser, await provider.signInUrl(), user.email));
    await testApp.db.update(identitySessions).set({ authenticated_at: new Date(Date.now() - 3_600_000) });
    const asked = await browser.get(await forcing.signInUrl());
    expect(textOf(asked.html)).toContain('Password');
    const page = await browser.submit(asked, { email: user.email, password });
    const instant = /AuthnInstant="([^"]+)"/.exec(readPost(page.form?.fields ?? {}).xml)?.[1];
    expect(Date.now() - Date.parse(instant ?? '')).toBeLessThan(60_000);
  });

  test('§4 signing in again has the email filled in, except after a sign-out', async () => {
    const { provider, site } = await siteWithProvider();
    const forcing = await ServiceProvider.of(testApp, site, { forceAuthn: true });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await provider.receive(await signIn(browser, await provider.signInUrl(), user.email));
    const filledIn = async (url: string) => /name="email"[^>]*value="([^"]*)"/.exec((await browser.get(url)).html)?.[1];
    expect(await filledIn(await forcing.signInUrl())).toBe(user.email);
    const longAgo = new Date(Date.now() - 90 * 86_400_000);
    await testApp.db
      .update(identitySessions)
      .set({ authenticated_at: longAgo, last_seen_at: longAgo })
      .where(eq(identitySessions.user_id, user.id));
    expect(await filledIn(await provider.signInUrl())).toBe(user.email);
    await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(await filledIn(await provider.signInUrl())).toBe(user.email);
    browser.cookies.delete('opensocial_identity');
    expect(await filledIn(await provider.signInUrl())).toBeUndefined();
  });

  test('§4 THREATS: the email is not filled in after a console sign-out whose identity session had ended', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const filledIn = async () =>
      /name="email"[^>]*value="([^"]*)"/.exec((await browser.get('/server/saml/login')).html)?.[1];
    await browser.submit(
      await browser.submit(await browser.get('/server/saml/login'), { email: user.email, password }),
    );
    await testApp.db.delete(identitySessions).where(eq(identitySessions.user_id, user.id));
    await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    expect(await filledIn()).toBeUndefined();
  });

  test('IsPassive without a session is answered with NoPassive', async () => {
    const { provider } = await siteWithProvider({}, { passive: true });
    expect(statusOf(await testApp.browser().get(await provider.signInUrl()))).toBe('Responder NoPassive');
  });

  test('a sign-in from a tile has no InResponseTo', async () => {
    const { provider, site } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const page = await signIn(testApp.browser(), `/saml/northlab/start/${site.id}`, user.email);
    expect(readPost(page.form?.fields ?? {}).xml).not.toContain('InResponseTo');
    expect(await provider.receive(page)).toMatchObject({ nameID: user.email });
  });

  test.for([
    ['on the ACS', (site: Site) => new URL('/reports?id=1#top', site.acs).href],
    ['on the login address', () => 'http://start.example:8081/x'],
    ['on the domain', (site: Site) => `https://${site.domain}/`],
  ] as const)('a tile may name a page of the site: %s', async ([, targetAt]) => {
    const { site } = await siteWithProvider({ login_url: 'http://start.example:8081/login' });
    const target = targetAt(site);
    const user = await makeUser(testApp.db);
    const start = `/saml/northlab/start/${site.id}?RelayState=${encodeURIComponent(target)}`;
    const page = await signIn(testApp.browser(), start, user.email);
    expect(page.form?.fields['RelayState']).toBe(target);
  });

  test.for([
    () => 'https://evil.example/',
    () => '//evil.example',
    () => '/a/path',
    () => 'opaque',
    () => 'javascript:alert(1)',
    (site: Site) => `javascript://${site.domain}/%0aalert(1)`,
    (site: Site) => `ftp://${site.domain}/`,
    (site: Site) => `https://${site.domain}@evil.example/`,
    (site: Site) => `https://evil@${site.domain}/`,
    (site: Site) => `https://${site.domain}.evil.example/`,
    (site: Site) => `https://${site.domain}:8443/`,
    (site: Site) => `http://${site.domain}/`,
    (site: Site) => `https://${site.domain}/${'x'.repeat(1_000)}`,
    (site: Site) => `https://${site.domain}/${'é'.repeat(300)}`,
  ])('a tile with any other RelayState signs on without it: %#', async (targetAt) => {
    const { site } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const start = `/saml/northlab/start/${site.id}?RelayState=${encodeURIComponent(targetAt(site))}`;
    const page = await signIn(testApp.browser(), start, user.email);
    expect(page.form).toMatchObject({ action: site.acs, fields: { SAMLResponse: expect.any(String) } });
    expect(page.form?.fields).not.toHaveProperty('RelayState');
  });

  test('a name full of markup arrives as text', async () => {
    const { provider } = await siteWithProvider();
    const lastname = '</saml:AttributeValue><saml:Attribute Name="role">admin & "co" 😀';
    const user = await makeUser(testApp.db, { lastname });
    const profile = await provider.receive(await signIn(testApp.browser(), await provider.signInUrl(), user.email));
    expect(profile).toMatchObject({ lastname });
    expect(profile).not.toHaveProperty('role');
  });
});

describe('name identifiers', () => {
  const formats = 'urn:oasis:names:tc:SAML:2.0:nameid-format:';
  const namesFor = async (identifierFormat: string) => {
    const { provider } = await siteWithProvider({}, { identifierFormat });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await provider.receive(await signIn(browser, await provider.signInUrl(), user.email));
    const second = await provider.receive(await browser.get(await provider.signInUrl()));
    return { user, first: first.nameID, second: second.nameID };
  };

  test('persistent: the same each time, and not the address', async () => {
    const { user, first, second } = await namesFor(`${formats}persistent`);
    expect(first).toBe(second);
    expect(first).not.toContain(user.email);
  });

  test('transient: another each time', async () => {
    const { first, second } = await namesFor(`${formats}transient`);
    expect(first).not.toBe(second);
  });

  test('an unknown one is answered with InvalidNameIDPolicy', async () => {
    const { provider } = await siteWithProvider({}, { identifierFormat: `${formats}kerberos` });
    expect(statusOf(await testApp.browser().get(await provider.signInUrl()))).toBe('Requester InvalidNameIDPolicy');
  });
});

describe('requests that are refused with a page', () => {
  const refused = async (page: Page, status: number, text: RegExp) => {
    expect(page.status).toBe(status);
    expect(textOf(page.html)).toMatch(text);
    expect(textOf(page.html)).toMatch(/\d{5}-\d{5}/);
    expect(page.html).not.toMatch(/node_modules|at async|\.ts:/);
    expect(page.form?.fields['SAMLResponse']).toBeUndefined();
  };

  test('an unknown issuer', async () => {
    await refused(
      await testApp.browser().get(requestUrl({ issuer: 'https://stranger.example' })),
      400,
      /This application is not registered/,
    );
  });

  test("another network's site", async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    await refused(
      await testApp.browser().get(requestUrl({ issuer: site.identity, acsUrl: site.acs })),
      400,
      /This application is not registered/,
    );
    await refused(
      await testApp.browser().get(`/saml/northlab/start/${site.id}`),
      400,
      /This application is not registered/,
    );
  });

  test('a return address that is not exactly the registered one', async () => {
    const site = await makeSite(testApp.db);
    for (const acsUrl of [`${site.acs}/more`, `${site.acs}?a=b`, site.acs.toUpperCase(), 'https://evil.example/acs']) {
      await refused(
        await testApp.browser().get(requestUrl({ issuer: site.identity, acsUrl })),
        400,
        /return address is not registered/,
      );
    }
  });

  test('a request with another destination', async () => {
    const site = await makeSite(testApp.db);
    const page = await testApp
      .browser()
      .get(requestUrl({ issuer: site.identity, acsUrl: site.acs, destination: 'https://other.example' }));
    await refused(page, 400, /meant for another address/);
  });

  test('a deflate bomb of 10 MB', async () => {
    const bomb = deflateRawSync(Buffer.alloc(10_000_000, 'a')).toString('base64');
    await refused(
      await testApp.browser().get(`/saml/northlab/sso?SAMLRequest=${encodeURIComponent(bomb)}`),
      400,
      /too large/,
    );
  });

  test('a RelayState of any length', async () => {
    const site = await makeSite(testApp.db);
    const long = 'x'.repeat(2_049);
    await refused(
      await testApp.browser().get(`${requestUrl({ issuer: site.identity, acsUrl: site.acs })}&RelayState=${long}`),
      400,
      /RelayState is longer/,
    );
  });

  test.for([
    '/saml/%00/metadata',
    '/saml/northlab/start/1?RelayState=%00',
    '/saml/northlab/start/1?RelayState=a&RelayState=b',
    '/server/saml/login?next=/a&next=/b',
  ])('hostile text: %s', async (url) => {
    const { statusCode, payload } = await testApp.app.inject(url);
    expect(statusCode).toBe(400);
    expect(payload).not.toMatch(/node_modules/);
  });

  test.for([
    ['nothing', ''],
    ['no base64', 'SAMLRequest=%%%'],
    ['no xml', `SAMLRequest=${encodeURIComponent(deflateRawSync('hello').toString('base64'))}`],
    [
      'a doctype',
      `SAMLRequest=${encodeURIComponent(deflateRawSync('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'))}`,
    ],
    ['the parameter twice', 'SAMLRequest=a&SAMLRequest=b'],
  ])('%s', async ([, query]) => {
    await refused(await testApp.browser().get(`/saml/northlab/sso?${query}`), 400, /This request is not valid/);
  });

  test('an unknown network', async () => {
    await refused(await testApp.browser().get('/saml/nowhere/metadata'), 404, /does not exist/);
  });
});

describe('a site with a certificate', () => {
  test('must sign its requests, in both bindings', async () => {
    const { privateKey, certificate } = await makeProviderKey();
    const { site, provider } = await siteWithProvider({ certificate });
    const user = await makeUser(testApp.db);
    const unsigned = await testApp.browser().get(await provider.signInUrl());
    expect(textOf(unsigned.html)).toContain('is not signed');

    const signing = await ServiceProvider.of(testApp, site, { privateKey, signatureAlgorithm: 'sha256' });
    expect(await signing.receive(await signIn(testApp.browser(), await signing.signInUrl(), user.email))).toMatchObject(
      { nameID: user.email },
    );

    const weak = await ServiceProvider.of(testApp, site, { privateKey, signatureAlgorithm: 'sha1' });
    expect(textOf((await testApp.browser().get(await weak.signInUrl())).html)).toContain('not accepted');

    const posting = await ServiceProvider.of(testApp, site, {
      privateKey,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      authnRequestBinding: 'HTTP-POST',
      skipRequestCompression: true,
    });
    const browser = testApp.browser();
    const page = await browser.submit(await browser.post('/saml/northlab/sso', await posting.signInFields()));
    expect(await posting.receive(await browser.submit(page, { email: user.email, password }))).toMatchObject({
      nameID: user.email,
    });
  });

  test('need not sign them if it is registered so, but a signature must be valid', async () => {
    const { privateKey, certificate } = await makeProviderKey();
    const { site, provider } = await siteWithProvider({ certificate, signed_requests: false });
    const user = await makeUser(testApp.db);
    expect(
      await provider.receive(await signIn(testApp.browser(), await provider.signInUrl(), user.email)),
    ).toMatchObject({ nameID: user.email });
    const another = await makeProviderKey();
    const forged = await ServiceProvider.of(testApp, site, {
      privateKey: another.privateKey,
      signatureAlgorithm: 'sha256',
    });
    expect(textOf((await testApp.browser().get(await forged.signInUrl())).html)).toContain('is not valid');
    const signing = await ServiceProvider.of(testApp, site, { privateKey, signatureAlgorithm: 'sha256' });
    expect((await testApp.browser().get(await signing.signInUrl())).html).toContain('password');
  });

  test('may have several certificates, and sign with any of them', async () => {
    const [one, other] = [await makeProviderKey(), await makeProviderKey()];
    const { site } = await siteWithProvider({ certificate: `${one.certificate}\n${other.certificate}` });
    for (const { privateKey } of [one, other]) {
      const signing = await ServiceProvider.of(testApp, site, { privateKey, signatureAlgorithm: 'sha256' });
      expect((await testApp.browser().get(await signing.signInUrl())).html).toContain('password');
    }
  });
});

describe('refusals', () => {
  const tryIn = async (email: string, given = password) => {
    const { provider } = await siteWithProvider();
    const browser = testApp.browser();
    return browser.submit(await browser.get(await provider.signInUrl()), { email, password: given });
  };

  test('are the same for every cause', async () => {
    const known = await makeUser(testApp.db);
    const disabled = await makeUser(testApp.db, { user_mode: 'Disable' });
    const unconfirmed = await makeUser(testApp.db, { status: 'NonConfirmed' });
    const passwordless = await makeUser(testApp.db, { password_hash: null });
    const pages = [
      await tryIn(known.email, 'a wrong one'),
      await tryIn('nobody@nowhere.example'),
      await tryIn('no address'),
      await tryIn(disabled.email),
      await tryIn(unconfirmed.email),
      await tryIn(passwordless.email),
      await tryIn(known.email, 'x'.repeat(5_000)),
      await tryIn(known.email, ''),
    ];
    const shown = pages.map(({ status, html, headers }) => ({
      status,
      text: textOf(html),
      headers: Object.keys(headers).toSorted(),
    }));
    for (const page of shown) expect(page).toEqual(shown[0]);
    expect(shown[0]).toMatchObject({
      status: 401,
      text: expect.stringContaining('The email or password is not right, or this account cannot sign in here.'),
    });
  });

  test('are logged with their reason, and never with a text in the wrong field', async () => {
    const disabled = await makeUser(testApp.db, { user_mode: 'Disable' });
    await tryIn(disabled.email);
    expect(await lastLine()).toMatchObject({
      email: disabled.email,
      login_status: 'Failed',
      reason: 'account disabled',
    });
    await tryIn('my secret password');
    expect(await lastLine()).toMatchObject({ email: null, reason: 'unknown address' });
  });

  test.for([
    ['a member of no group of the site', { reason: 'not in a group of the site' }, /have access to Reports/],
    ['a member of another network', { reason: 'not a member of the network' }, /have access to Reports/],
    ['a site that is closed', { reason: 'site closed' }, /Back on Monday/],
    ['a site that is switched off', { reason: 'site disabled' }, /is switched off/],
  ] as const)('%s gets a page that says so', async ([who, line, text]) => {
    const group = await makeGroup(testApp.db);
    const { provider } = await siteWithProvider({
      groups: who.includes('group') ? [group.id] : [],
      ...(who.includes('closed') && { site_mode: 'Closed' as const, closed_message: 'Back on Monday' }),
      ...(who.includes('switched off') && { status: 'Disable' as const }),
    });
    const user = await makeUser(testApp.db, who.includes('another') ? { network: 'southlab' } : {});
    const page = await signIn(testApp.browser(), await provider.signInUrl(), user.email);
    expect(page.status).toBe(403);
    expect(textOf(page.html)).toMatch(text);
    expect(await lastLine()).toMatchObject({ email: user.email, login_status: 'Failed', ...line });
  });

  test('an owner of the network may enter a closed site', async () => {
    const { provider } = await siteWithProvider({ site_mode: 'Closed' });
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    expect(
      await provider.receive(await signIn(testApp.browser(), await provider.signInUrl(), owner.email)),
    ).toMatchObject({ nameID: owner.email });
  });

  test('a live session is not accepted after the account was disabled', async () => {
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await provider.receive(await signIn(browser, await provider.signInUrl(), user.email));
    await testApp.db.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, user.id));
    expect(textOf((await browser.get(await provider.signInUrl())).html)).toContain('Password');
  });

  test('a deleted site gets no more responses', async () => {
    const { provider, site } = await siteWithProvider();
    await testApp.db.delete(sites).where(eq(sites.id, site.id));
    expect((await testApp.browser().get(await provider.signInUrl())).status).toBe(400);
  });
});

describe('failed attempts', () => {
  test('are limited to the number of the network, also concurrently', async () => {
    const { id } = await networkNamed(testApp.db, 'northlab');
    await testApp.db.update(networkSettings).set({ failed_tries: 4 }).where(eq(networkSettings.network_id, id));
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const guesses = Array.from({ length: 30 }, async () => {
      const browser = testApp.browser();
      return browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password: 'a guess' });
    });
    await Promise.all(guesses);
    const lines = await testApp.db.select().from(loginLog).where(eq(loginLog.user_id, user.id));
    expect(lines.filter((line) => line.reason === 'wrong password')).toHaveLength(4);
    expect(lines.filter((line) => line.reason === 'account locked')).toHaveLength(26);
    const locked = await signIn(testApp.browser(), await provider.signInUrl(), user.email);
    expect(locked.status).toBe(401);
    await testApp.db.update(networkSettings).set({ failed_tries: 10 }).where(eq(networkSettings.network_id, id));
  });

  test("have the limit of the account's home network at every site, and at most 100", async () => {
    const { id } = await networkNamed(testApp.db, 'southlab');
    const foreign = await siteWithProvider({ network: 'southlab' });
    const url = `/saml/southlab/start/${foreign.site.id}`;
    const tryThere = async (email: string) => {
      const browser = testApp.browser();
      return browser.submit(await browser.get(url), { email, password: 'wrong' });
    };
    await testApp.db.update(networkSettings).set({ failed_tries: 1 }).where(eq(networkSettings.network_id, id));
    const user = await makeUser(testApp.db);
    for (let wrong = 0; wrong < 3; wrong += 1) await tryThere(user.email);
    const { provider } = await siteWithProvider();
    await provider.receive(await signIn(testApp.browser(), await provider.signInUrl(), user.email));

    await testApp.db.update(networkSettings).set({ failed_tries: 0 }).where(eq(networkSettings.network_id, id));
    const southern = await makeUser(testApp.db, { network: 'southlab' });
    await testApp.db.insert(throttles).values({ key: accountKey(southern.email), failures: 99 });
    await tryThere(southern.email);
    await tryThere(southern.email);
    expect(await lastLine()).toMatchObject({ reason: 'account locked' });
    await testApp.db.update(networkSettings).set({ failed_tries: 10 }).where(eq(networkSettings.network_id, id));
  });

  test('of strangers do not lock out a known device', async () => {
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const own = testApp.browser();
    await provider.receive(await signIn(own, await provider.signInUrl(), user.email));
    own.cookies.delete('opensocial_identity');
    for (let wrong = 0; wrong < 12; wrong += 1) {
      const stranger = testApp.browser();
      await stranger.submit(await stranger.get(await provider.signInUrl()), { email: user.email, password: 'wrong' });
    }
    expect((await signIn(testApp.browser(), await provider.signInUrl(), user.email)).status).toBe(401);
    await provider.receive(await signIn(own, await provider.signInUrl(), user.email));
  });

  test('are counted for a whole IPv6 prefix', () => {
    expect(countedAddress('2001:db8::1')).toBe(countedAddress('2001:0db8:0:0:ffff:1:2:3'));
    expect(countedAddress('2001:db8:0:1::1')).not.toBe(countedAddress('2001:db8::1'));
    expect(countedAddress('192.0.2.7')).toBe('192.0.2.7');
  });

  test('are reset by a success', async () => {
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    for (let round = 0; round < 3; round += 1) {
      for (let wrong = 0; wrong < 6; wrong += 1) {
        const browser = testApp.browser();
        await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password: 'wrong' });
      }
      await provider.receive(await signIn(testApp.browser(), await provider.signInUrl(), user.email));
    }
  });
});

describe('a sign-in in progress', () => {
  test('belongs to the browser that began it', async () => {
    const { provider } = await siteWithProvider();
    const page = await testApp.browser().get(await provider.signInUrl());
    const stranger = testApp.browser();
    expect(await stranger.get(page.url)).toMatchObject({ status: 410 });
    expect(await stranger.submit(page, { email: 'a@b.org', password })).toMatchObject({ status: 410 });
  });

  test('can be finished once', async () => {
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.get(await provider.signInUrl());
    const both = await Promise.all([1, 2].map(() => browser.submit(page, { email: user.email, password })));
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 410]));
  });

  test('needs the CSRF token of its own page', async () => {
    const { provider } = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.get(await provider.signInUrl());
    expect(await browser.submit(page, { email: user.email, password, csrf: 'made up' })).toMatchObject({ status: 410 });
  });

  test('again in the same browser keeps the session, with the sites that a logout notifies', async () => {
    const { provider, site } = await siteWithProvider();
    const forcing = await ServiceProvider.of(testApp, site, { forceAuthn: true });
    const other = await siteWithProvider();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await other.provider.receive(await signIn(browser, await other.provider.signInUrl(), user.email));
    const cookie = browser.cookies.get('opensocial_identity');
    const second = await forcing.receive(await signIn(browser, await forcing.signInUrl(), user.email));
    expect(second.sessionIndex).toBe(first.sessionIndex);
    expect(browser.cookies.get('opensocial_identity')).not.toBe(cookie);
    const frames = await browser.get(await provider.signOutUrl(second));
    const left = await browser.submit(frames);
    expect(left.url).toContain(other.site.sls);
  });

  test('gives the browser a new session token and invalidates the former one', async () => {
    const { provider } = await siteWithProvider({}, { forceAuthn: true });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    browser.cookies.set('opensocial_identity', 'set by somebody else');
    await signIn(browser, await provider.signInUrl(), user.email);
    const first = browser.cookies.get('opensocial_identity');
    expect(first).not.toBe('set by somebody else');
    await signIn(browser, await provider.signInUrl(), user.email);
    expect(browser.cookies.get('opensocial_identity')).not.toBe(first);
    expect(await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id))).toHaveLength(
      1,
    );
  });
});
