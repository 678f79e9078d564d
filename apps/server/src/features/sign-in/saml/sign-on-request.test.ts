import { deflateRawSync } from 'node:zlib';
import { authnContexts, buildAuthnRequest, nameIdFormats, newSamlId, readPost } from '@opensocial/saml';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginLog, networkSettings, sites, throttles, users } from '../../../database/schema.ts';
import { newTotpSecret } from '../../../secrets/totp.ts';
import type { Page } from '../../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { makeProviderKey, ServiceProvider } from '../../../testing/app/service-provider.ts';
import { withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';

type Site = Awaited<ReturnType<typeof makeSite>>;

let testApp: TestApp;
let site: Site;
let provider: ServiceProvider;
beforeAll(async () => {
  testApp = await buildTestApp();
});
beforeEach(async () => {
  // All browsers of this file share one address.
  await testApp.db.delete(throttles);
  site = await makeSite(testApp.db);
  provider = await ServiceProvider.of(testApp, site);
});

type Draft = Partial<Parameters<typeof buildAuthnRequest>[0]>;

/** The URL of an unsigned request, with changes of its draft and then of its XML. */
const requestUrl = (draft: Draft = {}, change = (xml: string) => xml): string => {
  const location = `${testOrigin}/saml/northlab/sso`;
  const fields = { id: newSamlId(), issuer: site.identity, destination: location, acsUrl: site.acs };
  const xml = change(buildAuthnRequest({ ...fields, issueInstant: new Date(), ...draft }));
  return `${location}?SAMLRequest=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`;
};

const xmlOf = (page: Page): string => readPost(page.form?.fields ?? {}).xml;
const statusOf = (page: Page): string =>
  [...xmlOf(page).matchAll(/StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:(\w+)"/g)]
    .map(([, code]) => code)
    .join(' ');
const classOf = (page: Page): string | undefined => /<saml:AuthnContextClassRef>([^<]*)</.exec(xmlOf(page))?.[1];

const lastLine = async () => (await testApp.db.select().from(loginLog).orderBy(desc(loginLog.id)).limit(1))[0];

const asksFor = (authnClass: string): Draft => ({
  requestedAuthnContext: { comparison: 'exact', classes: [authnClass] },
});

describe('a requested authentication', () => {
  test('with two factors is proven in a step-up of the session, and stated', async () => {
    const { user, code } = await withTotp(testApp);
    await testApp.db.update(networkSettings).set({ mfa_remember_days: 30 });
    const browser = testApp.browser();
    const first = await browser.submit(await browser.get(requestUrl()), { email: user.email, password });
    const entered = await browser.submit(first, { code: code(), remember: 'yes' });
    expect(classOf(entered)).toBe(authnContexts.timeSyncToken);
    // The trusted browser is exempt from the factor, but has not proven it.
    browser.cookies.delete('opensocial_identity');
    const again = await browser.get(requestUrl(asksFor(authnContexts.refedsMfa)));
    expect((await browser.submit(again, { email: user.email, password })).url).toMatch(/\/verify$/);

    const other = testApp.browser();
    const verify = await other.submit(await other.get(requestUrl(asksFor(authnContexts.refedsMfa))), {
      email: user.email,
      password,
    });
    expect(verify.url).toMatch(/\/verify$/);
    const proven = await other.submit(verify, { code: code(1) });
    expect(classOf(proven)).toBe(authnContexts.refedsMfa);
    expect(classOf(await other.get(requestUrl(asksFor(authnContexts.timeSyncToken))))).toBe(
      authnContexts.timeSyncToken,
    );
    expect(classOf(await other.get(requestUrl(asksFor(authnContexts.passwordProtectedTransport))))).toBe(
      authnContexts.passwordProtectedTransport,
    );
  });

  test('that the person cannot give is refused with NoAuthnContext, and logged', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const url = requestUrl(asksFor(authnContexts.refedsMfa));
    const refused = await browser.submit(await browser.get(url), { email: user.email, password });
    expect(statusOf(refused)).toBe('Responder NoAuthnContext');
    expect(xmlOf(refused)).not.toContain('Assertion ');
    expect(await lastLine()).toMatchObject({
      email: user.email,
      login_status: 'Failed',
      reason: 'the application asked for a stronger sign-in',
    });
    expect(statusOf(await browser.get(url))).toBe('Responder NoAuthnContext');
    expect(statusOf(await browser.get(requestUrl()))).toBe('Success');
  });

  test('that we do not know is refused before anybody signs in', async () => {
    const x509 = 'urn:oasis:names:tc:SAML:2.0:ac:classes:X509';
    expect(statusOf(await testApp.browser().get(requestUrl(asksFor(x509))))).toBe('Responder NoAuthnContext');
  });

  test('is not met by a session when the request is passive', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await browser.get(requestUrl()), { email: user.email, password });
    await testApp.db
      .update(users)
      .set({ totp_secret: testApp.parts.vault.encrypt(newTotpSecret()) })
      .where(eq(users.id, user.id));
    const passive = requestUrl({ ...asksFor(authnContexts.refedsMfa), isPassive: true });
    expect(statusOf(await browser.get(passive))).toBe('Responder NoPassive');
  });
});

describe('a request for a certain person', () => {
  const subject =
    (name: string, format: string = nameIdFormats.emailAddress) =>
    (xml: string) =>
      xml.replace(
        '<samlp:NameIDPolicy',
        `<saml:Subject xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><saml:NameID Format="${format}">${name}</saml:NameID></saml:Subject><samlp:NameIDPolicy`,
      );

  test('is granted to that person, by email or by persistent name, and refused to everybody else', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const asking = requestUrl({}, subject(user.email.toUpperCase()));
    const entered = await browser.submit(await browser.get(asking), { email: user.email, password });
    expect(statusOf(entered)).toBe('Success');
    const { persistent, transient } = nameIdFormats;
    const [, name = ''] =
      /<saml:NameID[^>]*>([^<]*)</.exec(xmlOf(await browser.get(requestUrl({ nameIdFormat: persistent })))) ?? [];
    expect(statusOf(await browser.get(requestUrl({}, subject(name, persistent))))).toBe('Success');

    for (const change of [subject('else@northlab.org'), subject(name, transient), subject('x', persistent)])
      expect(statusOf(await browser.get(requestUrl({}, change)))).toBe('Responder UnknownPrincipal');
    expect(await lastLine()).toMatchObject({
      login_status: 'Failed',
      reason: 'the application asked for another person',
    });
  });
});

describe('the assertion consumer service', () => {
  const other = { index: 5, url: 'https://other.northlab.org/acs' };
  const byIndex = (index: number) => (xml: string) =>
    xml.replace(/ AssertionConsumerServiceURL="[^"]*"/, ` AssertionConsumerServiceIndex="${index}"`);
  const register = (changes: Partial<typeof sites.$inferInsert>) =>
    testApp.db.update(sites).set(changes).where(eq(sites.id, site.id));
  const enter = async (url: string) => {
    const { email } = await makeUser(testApp.db);
    const browser = testApp.browser();
    return browser.submit(await browser.get(url), { email, password });
  };

  test('is chosen by address or index among the registered ones', async () => {
    await register({ acs_index: 0, further_acs: [other] });
    for (const [url, acs] of [
      [requestUrl(), site.acs],
      [requestUrl({ acsUrl: other.url }), other.url],
      [requestUrl({}, byIndex(5)), other.url],
      [requestUrl({}, byIndex(0)), site.acs],
    ] as const) {
      const page = await enter(url);
      expect(page.form?.action).toBe(acs);
      expect(xmlOf(page)).toContain(`Recipient="${acs}"`);
      expect(xmlOf(page)).toContain(`Destination="${acs}"`);
    }
  });

  test('with an unknown index is an error for the default one, with an unknown address a page of ours', async () => {
    await register({ acs_index: 0, further_acs: [other] });
    const page = await testApp.browser().get(requestUrl({}, byIndex(6)));
    expect(page.form?.action).toBe(site.acs);
    expect(statusOf(page)).toBe('Requester RequestUnsupported');
    expect((await testApp.browser().get(requestUrl({ acsUrl: 'https://evil.org/acs' }))).status).toBe(400);
  });

  test('of a site that was registered by hand is the only one, whatever its index', async () => {
    expect((await enter(requestUrl({}, byIndex(3)))).form?.action).toBe(site.acs);
  });

  test('that was removed during the sign-in gets no response', async () => {
    await register({ acs_index: 0, further_acs: [other] });
    const { email } = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.get(requestUrl({}, byIndex(5)));
    await register({ further_acs: [] });
    expect((await browser.submit(page, { email, password })).form?.action).toBe(site.acs);
  });
});

test('a name for a group of service providers is refused, one for the site itself is not', async () => {
  const qualified = (name: string) => (xml: string) =>
    xml.replace('<samlp:NameIDPolicy', `<samlp:NameIDPolicy SPNameQualifier="${name}"`);
  const page = await testApp.browser().get(requestUrl({}, qualified('https://group.org')));
  expect(statusOf(page)).toBe('Requester InvalidNameIDPolicy');
  expect((await testApp.browser().get(requestUrl({}, qualified(site.identity)))).status).toBe(200);
});

test('a request from the future is refused after five minutes', async () => {
  const issuedIn = (minutes: number) => requestUrl({ issueInstant: new Date(Date.now() + minutes * 60_000) });
  expect((await testApp.browser().get(issuedIn(6))).status).toBe(400);
  expect((await testApp.browser().get(issuedIn(4))).status).toBe(200);
});

test('a response says when the session ends at the latest', async () => {
  const user = await makeUser(testApp.db);
  const browser = testApp.browser();
  await testApp.db
    .update(networkSettings)
    .set({ session_hours: 7 })
    .where(eq(networkSettings.network_id, site.network_id));
  const page = await browser.submit(await browser.get(requestUrl()), { email: user.email, password });
  const [, instant = ''] = /AuthnInstant="([^"]*)"/.exec(xmlOf(page)) ?? [];
  const [, end = ''] = /SessionNotOnOrAfter="([^"]*)"/.exec(xmlOf(page)) ?? [];
  expect(Date.parse(end) - Date.parse(instant)).toBe(7 * 3_600_000);
});

test('a site receives only the groups that it is assigned to', async () => {
  const user = await makeUser(testApp.db);
  await makeGroup(testApp.db, { name: 'Portal', users: [user.id], sites: [site.id] });
  await makeGroup(testApp.db, {
    name: 'Payroll-secret',
    users: [user.id],
    sites: [(await makeSite(testApp.db)).id],
  });
  const browser = testApp.browser();
  const page = await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password });
  expect(xmlOf(page)).not.toContain('Payroll');
  expect((await provider.receive(page))['groups']).toBe('Portal');
});

describe('the protection of responses', () => {
  const enter = async (changes: Partial<typeof sites.$inferInsert>, sp: Parameters<typeof ServiceProvider.of>[2]) => {
    await testApp.db.update(sites).set(changes).where(eq(sites.id, site.id));
    const receiver = await ServiceProvider.of(testApp, site, sp);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(await receiver.signInUrl()), { email: user.email, password });
    return { page, user, profile: await receiver.receive(page) };
  };

  test.each([
    ['assertion', { wantAuthnResponseSigned: false }, 1],
    ['response', { wantAssertionsSigned: false }, 1],
    ['both', {}, 2],
  ] as const)('signs what the site wants: %s', async (signs, wants, signatures) => {
    const { page, user, profile } = await enter({ signs }, wants);
    expect(profile.nameID).toBe(user.email);
    expect(xmlOf(page).split('<ds:Signature ')).toHaveLength(signatures + 1);
  });

  test('encrypts assertions for the certificate of the site', async () => {
    const { certificate, privateKey } = await makeProviderKey();
    const { page, user, profile } = await enter(
      { encrypts: true, encryption_certificate: certificate },
      { decryptionPvk: privateKey },
    );
    expect(profile.nameID).toBe(user.email);
    expect(xmlOf(page)).not.toContain(user.email);
    expect(xmlOf(page)).toContain('xmlenc11#aes256-gcm');
  });
});
