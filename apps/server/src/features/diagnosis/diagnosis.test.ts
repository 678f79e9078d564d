import { createPrivateKey, createPublicKey } from 'node:crypto';
import {
  dismissUnknownApplication,
  fixSite,
  getSiteDiagnosis,
  getSubscriber,
  listUnknownApplications,
  type SiteExchange,
  updateSubscriber,
  watchSite,
} from '@opensocial/contract';
import { authnContexts, buildAuthnRequest, postForm, redirectUrl } from '@opensocial/saml';
import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { auditRecords, groupUsers, memberships, siteExchanges, sites, unknownArrivals } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, password, type SiteDraft, signInto } from '../../testing/app/builders.ts';
import { OidcClient } from '../../testing/app/oidc-client.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { makeProviderKey } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';

type Site = typeof sites.$inferSelect;

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
const key = await makeProviderKey();
const otherKey = await makeProviderKey();

/** A key whose certificate has expired. */
const makeExpiredKey = async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 365 * 86_400_000 });
  try {
    return await makeProviderKey();
  } finally {
    vi.useRealTimers();
  }
};
const expiredKey = await makeExpiredKey();

beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const diagnosisOf = async ({ id }: Pick<Site, 'id'>) => {
  await testApp.parts.exchanges.flush();
  return call(getSiteDiagnosis, { params: { site_id: id } });
};

/** The newest exchange of a site. */
const newest = async (site: Pick<Site, 'id'>): Promise<SiteExchange> => {
  const [exchange] = (await diagnosisOf(site)).exchanges;
  if (!exchange) throw new Error('Nothing was recorded.');
  return exchange;
};

type Key = { privateKey: string; certificate: string };
type RequestDraft = Partial<Parameters<typeof buildAuthnRequest>[0]> & { key?: Key | undefined };

const toKey = ({ privateKey, certificate }: Key) => ({ privateKey: createPrivateKey(privateKey), certificate });

const ssoUrl = `${testOrigin}/saml/northlab/sso`;

const requestOf = (site: Site, { key: _key, ...draft }: RequestDraft = {}) => ({
  id: `_${newUid()}`,
  issuer: site.identity,
  destination: ssoUrl,
  acsUrl: site.acs,
  issueInstant: new Date(),
  ...draft,
});

/** Sends a request of the site in a browser, by redirect. */
const send = (site: Site, draft: RequestDraft = {}, browser = testApp.browser()) => {
  const xml = buildAuthnRequest(requestOf(site, draft));
  const signed = draft.key && toKey(draft.key);
  return browser.get(
    redirectUrl({ location: ssoUrl, kind: 'SAMLRequest', xml, relayState: 'a secret relay', key: signed }),
  );
};

/** Sends a signed request of the site, posted. */
const postSigned = (site: Site, draft: RequestDraft & { key: Key }) => {
  const xml = buildAuthnRequest(requestOf(site, draft), toKey(draft.key));
  return testApp.browser().post('/saml/northlab/sso', postForm({ location: ssoUrl, kind: 'SAMLRequest', xml }).fields, {
    cookie: 'opensocial_identity=none',
  });
};

const makeSigningSite = (draft: SiteDraft = {}) => makeSite(testApp.db, { certificate: key.certificate, ...draft });

/** Signs a person in, and goes to a site. */
const enter = async (site: Site, draft: Parameters<typeof makeUser>[1] = {}, request: RequestDraft = {}) => {
  const user = await makeUser(testApp.db, draft);
  const browser = testApp.browser();
  const page = await browser.submit(await send(site, request, browser), { email: user.email, password });
  return { user, browser, page };
};

describe('§2.7 §7.13 a request of a SAML site', () => {
  test.each([
    ['a slash at the end', (acs: string) => `${acs}/`, 'the slash at the end differs'],
    ['capital letters', (acs: string) => acs.replace('/acs', '/ACS'), 'capital letters differ'],
    ['http instead of https', (acs: string) => acs.replace('https:', 'http:'), 'http:// and the other with https://'],
    ['another path', (acs: string) => acs.replace('/acs', '/saml/consume'), 'the path differs'],
    ['another host', (acs: string) => acs.replace('northlab.org', 'northlab.com'), 'the host differs'],
    ['another port', (acs: string) => acs.replace('.org', '.org:8443'), 'the port differs'],
  ])('with %s in its ACS URL shows both addresses', async (_, change, phrase) => {
    const site = await makeSite(testApp.db);
    const acsUrl = change(site.acs);
    expect((await send(site, { acsUrl })).status).toBe(400);
    const { finding, outcome, is_verified, facts } = await newest(site);
    expect(finding).toMatchObject({ code: 'acs_unregistered', is_current: true, fix: null });
    expect(finding.sentence).toContain(phrase);
    expect(finding.compared).toEqual([{ label: 'SSO ACS URL', received: acsUrl, registered: site.acs }]);
    expect({ outcome, is_verified }).toEqual({ outcome: 'refused', is_verified: false });
    expect(facts).toContainEqual({ label: 'Entity ID', value: site.identity });
  });

  test('is not compared with an address that was registered later', async () => {
    const site = await makeSite(testApp.db);
    const acsUrl = site.acs.replace('/acs', '/saml/consume');
    await send(site, { acsUrl });
    await testApp.db.update(sites).set({ acs: acsUrl }).where(eq(sites.id, site.id));
    const { finding } = await newest(site);
    expect(finding).toMatchObject({
      sentence: `The request asked for the response at ${acsUrl}, which was not registered at that time.`,
      advice: '',
      is_current: false,
      fix: null,
    });
  });

  test('that is signed is not called unsigned, whether or not a certificate is registered', async () => {
    const site = await makeSite(testApp.db, { certificate: null });
    const advice = async () => (await newest(site)).finding.advice;
    await send(site, { acsUrl: `${site.acs}/` });
    expect(await advice()).toContain('is not signed, so anybody could have sent it');
    await send(site, { acsUrl: `${site.acs}/`, key });
    expect(await advice()).toContain('is signed, but no certificate of the application is registered');
    await testApp.db.update(sites).set({ certificate: key.certificate }).where(eq(sites.id, site.id));
    expect(await advice()).toContain('is signed, but its signature was not verified with a registered certificate');
  });

  test('compares with the registered address that is most alike', async () => {
    const near = `https://${newUid()}.northlab.org/second`;
    const site = await makeSite(testApp.db, { acs_index: 0, further_acs: [{ index: 1, url: near }] });
    await send(site, { acsUrl: `${near}/` });
    expect((await newest(site)).finding.sentence).toContain(`${near} is registered: the slash`);
  });

  test('with an unknown entity id is shown at the site that has its ACS URL', async () => {
    const site = await makeSite(testApp.db);
    const issuer = `${site.identity}/sp`;
    await send(site, { issuer });
    const { finding } = await newest(site);
    expect(finding).toMatchObject({ code: 'issuer_unknown', is_current: true, fix: null });
    expect(finding.compared[0]).toEqual({ label: 'Entity ID', received: issuer, registered: site.identity });
    const { applications } = await call(listUnknownApplications, { params: { server_name: 'northlab' } });
    expect(applications.map(({ identity }) => identity)).not.toContain(issuer);
  });

  test('without a signature is recognised, until the site does not require one any more', async () => {
    const site = await makeSigningSite();
    await send(site);
    expect((await newest(site)).finding).toMatchObject({ code: 'signature_missing', is_current: true });
    await testApp.db.update(sites).set({ signed_requests: false }).where(eq(sites.id, site.id));
    expect((await newest(site)).finding).toMatchObject({ code: 'signature_missing', is_current: false });
  });

  test('with the signature of another certificate shows both fingerprints', async () => {
    const site = await makeSigningSite();
    await postSigned(site, { key: otherKey });
    const { finding, is_verified } = await newest(site);
    expect(finding).toMatchObject({ code: 'signature_invalid', is_current: true, fix: null });
    const [compared] = finding.compared;
    expect(compared?.received).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}, valid until/);
    expect(compared?.registered).not.toBe(compared?.received);
    expect(is_verified).toBe(false);
  });

  test('with another signature than that of an expired certificate names the day', async () => {
    const site = await makeSigningSite({ certificate: expiredKey.certificate });
    await send(site, { key: otherKey });
    const { exchanges, warnings } = await diagnosisOf(site);
    expect(exchanges[0]?.finding.code).toBe('certificate_expired');
    expect(exchanges[0]?.finding.sentence).toContain('expired on');
    expect(warnings).toEqual([expect.objectContaining({ code: 'certificate_expired', is_current: true })]);
  });

  test('with the signature of an expired certificate is accepted, with a warning at the site', async () => {
    const site = await makeSigningSite({ certificate: expiredKey.certificate });
    expect((await send(site, { key: expiredKey })).status).toBe(200);
    const { exchanges, warnings } = await diagnosisOf(site);
    expect(exchanges).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['certificate_expired']);
    expect((await diagnosisOf(await makeSigningSite())).warnings).toEqual([]);
  });

  test('from a clock that is ten minutes ahead is refused, and one that is behind is noticed', async () => {
    const ahead = await makeSite(testApp.db);
    await send(ahead, { issueInstant: new Date(Date.now() + 600_000) });
    expect((await newest(ahead)).finding).toMatchObject({
      code: 'clock_ahead',
      sentence: 'The clock of the application is 10 minutes ahead of ours.',
    });
    const behind = await makeSite(testApp.db);
    expect((await send(behind, { issueInstant: new Date(Date.now() - 600_000) })).status).toBe(200);
    const { finding, outcome } = await newest(behind);
    expect(finding).toMatchObject({ code: 'clock_behind', is_current: true });
    expect(finding.sentence).toContain('10 minutes old');
    expect(outcome).toBe('accepted');
    await enter(behind, {}, { issueInstant: new Date(Date.now() - 600_000) });
    const codes = async () =>
      (await diagnosisOf(behind)).exchanges.map((each) => [each.finding.code, each.finding.is_current]);
    expect(await codes()).toEqual([
      ['signed_in', false],
      ['clock_behind', true],
    ]);
    await send(behind);
    expect((await codes())[1]).toEqual(['clock_behind', false]);
  });

  test('for a NameID that the site does not get shows both formats', async () => {
    const site = await makeSite(testApp.db, { name_id_format: 'persistent' });
    const nameIdFormat = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
    await send(site, { nameIdFormat });
    expect((await newest(site)).finding).toMatchObject({
      code: 'name_id_unavailable',
      compared: [{ label: 'NameID format', received: nameIdFormat, registered: 'persistent' }],
      is_current: true,
    });
    await testApp.db.update(sites).set({ name_id_format: 'requested' }).where(eq(sites.id, site.id));
    expect((await newest(site)).finding.is_current).toBe(false);
  });

  test('for another address of ours, or for an authentication that nobody has, is explained', async () => {
    const site = await makeSite(testApp.db);
    await send(site, { destination: `${ssoUrl}/` });
    const { finding } = await newest(site);
    expect(finding.compared).toEqual([{ label: 'Sign-on service URL', received: `${ssoUrl}/`, registered: ssoUrl }]);
    expect(finding.code).toBe('destination_mismatch');
    await send(site, { requestedAuthnContext: { comparison: 'exact', classes: ['urn:example:smartcard'] } });
    expect((await newest(site)).finding.code).toBe('authentication_weak');
  });

  test('contains nothing that grants access or names a person', async () => {
    const site = await makeSigningSite();
    await postSigned(site, { key, acsUrl: `${site.acs}?session=1` });
    await send(site, { acsUrl: `https://admin:hunter2@${site.domain}/x\u0007\u202E` });
    await testApp.parts.exchanges.flush();
    const rows = await testApp.db.select().from(siteExchanges).where(eq(siteExchanges.site_id, site.id));
    const stored = JSON.stringify(rows);
    expect(rows.length).toBe(2);
    expect(stored).not.toMatch(/a secret relay|hunter2|SignatureValue|\u202E|\\u0007/);
  });
});

describe('§2.7 §7.13 a fix', () => {
  test('is offered for a signed request, changes the address, and is audited and mailed like a change in the form', async () => {
    await makeUser(testApp.db, { owns: ['northlab'] });
    const site = await makeSigningSite();
    await send(site, { key, acsUrl: `${site.acs}/` });
    const { exchanges, version } = await diagnosisOf(site);
    const [exchange] = exchanges;
    expect(exchange).toMatchObject({ is_verified: true });
    expect(exchange?.finding.fix).toMatchObject({ before: site.acs, after: `${site.acs}/` });
    const params = { site_id: site.id, exchange_id: exchange?.id ?? 0 };
    const mails = await mailsQueuedBy(testApp, async () => {
      const after = await call(fixSite, { params, body: { based_on: version } });
      expect(after.exchanges[0]?.finding).toMatchObject({ is_current: false, fix: null });
    });
    expect(mails.map(({ subject }) => subject).join()).toContain('SSO ACS URL');
    const subscriber = await call(getSubscriber, { params: { site_id: site.id, server_name: 'northlab' } });
    expect(subscriber.acs).toBe(`${site.acs}/`);
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ new_data: { acs: `${site.acs}/` }, old_data: { acs: site.acs } });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await send(site, { key, acsUrl: `${site.acs}/` }, browser);
    expect((await browser.submit(page, { email: user.email, password })).form?.action).toBe(`${site.acs}/`);
    await expect(call(fixSite, { params, body: { based_on: version } })).rejects.toMatchObject({ code: 'fix_gone' });
  });

  test('is refused if somebody else has changed the address since it was shown', async () => {
    const site = await makeSigningSite();
    await send(site, { key, acsUrl: `${site.acs}/` });
    const { exchanges, version } = await diagnosisOf(site);
    const subscriber = await call(getSubscriber, { params: { site_id: site.id, server_name: 'northlab' } });
    const { version: _version, ...body } = subscriber;
    await call(updateSubscriber, { params: { server_name: 'northlab' }, body: { ...body, acs: `${site.acs}2` } });
    const params = { site_id: site.id, exchange_id: exchanges[0]?.id ?? 0 };
    await expect(call(fixSite, { params, body: { based_on: version } })).rejects.toMatchObject({
      code: 'changed_meanwhile',
    });
  });

  test.each([
    ['without a signature', {}],
    ['with the signature of another key', { key: otherKey }],
    ['with an old signature', { key, issueInstant: new Date(Date.now() - 3_600_000) }],
  ])('is not offered for a request %s', async (_, draft) => {
    const site = await makeSigningSite({ signed_requests: false });
    await send(site, { acsUrl: `${site.acs}/`, ...draft });
    const { exchanges, version } = await diagnosisOf(site);
    const [exchange] = exchanges;
    expect(exchange?.finding.fix).toBeNull();
    const params = { site_id: site.id, exchange_id: exchange?.id ?? 0 };
    await expect(call(fixSite, { params, body: { based_on: version } })).rejects.toMatchObject({ code: 'fix_gone' });
    expect((await testApp.db.select().from(sites).where(eq(sites.id, site.id)))[0]?.acs).toBe(site.acs);
  });

  test('is not offered for an address without encryption, nor for one that was cut', async () => {
    const site = await makeSigningSite();
    await send(site, { key, acsUrl: site.acs.replace('https', 'http') });
    await send(site, { key, acsUrl: `${site.acs}/${'a'.repeat(400)}` });
    const { exchanges } = await diagnosisOf(site);
    expect(exchanges.map(({ finding, is_verified }) => [is_verified, finding.fix])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  test('does not reach the exchange of another site', async () => {
    const [site, other] = [await makeSigningSite(), await makeSigningSite()];
    await send(other, { key, acsUrl: `${other.acs}/` });
    const { exchanges } = await diagnosisOf(other);
    const params = { site_id: site.id, exchange_id: exchanges[0]?.id ?? 0 };
    await expect(call(fixSite, { params, body: { based_on: 0 } })).rejects.toMatchObject({ code: 'fix_gone' });
  });
});

describe('§2.7 the decision about a person', () => {
  test('names a member who is in no group of the site, until they are in one', async () => {
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db, { sites: [site.id] });
    const { user } = await enter(site);
    const exchange = await newest(site);
    expect(exchange).toMatchObject({
      person: { id: user.id, email: user.email },
      finding: { code: 'not_in_group', is_current: true, place: 'groups' },
    });
    await testApp.db.insert(groupUsers).values({ group_id: group.id, user_id: user.id });
    expect((await newest(site)).finding.is_current).toBe(false);
  });

  test.each([
    ['site_closed', { site_mode: 'Closed' }, { site_mode: 'Open' }],
    ['site_disabled', { status: 'Disable' }, { status: 'Active' }],
  ] as const)('says %s, until it is changed', async (code, before, after) => {
    const site = await makeSite(testApp.db, before);
    await enter(site);
    expect((await newest(site)).finding).toMatchObject({ code, is_current: true, place: 'details' });
    await testApp.db.update(sites).set(after).where(eq(sites.id, site.id));
    expect((await newest(site)).finding.is_current).toBe(false);
  });

  test('does not name a person of another network', async () => {
    const site = await makeSite(testApp.db);
    const { user } = await enter(site, { network: 'opensocial' });
    await testApp.parts.exchanges.flush();
    const rows = await testApp.db.select().from(siteExchanges).where(eq(siteExchanges.site_id, site.id));
    expect(rows.map(({ code }) => code).toSorted()).toEqual(['not_member', 'request_accepted']);
    expect(rows.every(({ user_id }) => user_id === null)).toBe(true);
    expect(JSON.stringify(await diagnosisOf(site))).not.toContain(user.email);
  });

  test('says that a member is disabled in the network, until they are enabled again', async () => {
    const site = await makeSite(testApp.db);
    const user = await makeUser(testApp.db);
    const inNetwork = and(eq(memberships.user_id, user.id), eq(memberships.network_id, site.network_id));
    await testApp.db.update(memberships).set({ user_mode: 'Disable' }).where(inNetwork);
    const browser = testApp.browser();
    await browser.submit(await send(site, {}, browser), { email: user.email, password });
    expect((await newest(site)).finding).toMatchObject({ code: 'person_disabled', is_current: true });
    await testApp.db.update(memberships).set({ user_mode: 'Active' }).where(inNetwork);
    expect((await newest(site)).finding.is_current).toBe(false);
  });

  test('does not name a person who has left the network', async () => {
    const site = await makeSite(testApp.db);
    await makeGroup(testApp.db, { sites: [site.id] });
    const { user } = await enter(site, { alsoIn: ['southlab'] });
    expect((await newest(site)).person?.id).toBe(user.id);
    await testApp.db.delete(memberships).where(eq(memberships.user_id, user.id));
    expect((await newest(site)).person).toBeNull();
    expect(JSON.stringify(await diagnosisOf(site))).not.toContain(user.email);
  });

  test('says which second factor is missing, until the person has signed in', async () => {
    const site = await makeSite(testApp.db, { mfa: 'Enable' });
    const { user, browser } = await enter(site);
    const waiting = await newest(site);
    expect(waiting).toMatchObject({
      outcome: 'waiting',
      person: { id: user.id },
      finding: { code: 'factor_missing', is_current: true },
    });
    expect(waiting.finding.compared).toEqual([
      { label: 'Second factor', received: 'None', registered: 'code by email' },
    ]);
    await testApp.db.update(sites).set({ mfa: 'Disable' }).where(eq(sites.id, site.id));
    const again = await browser.get(await startOf(site, browser));
    await browser.submit(again, { email: user.email, password });
    const { exchanges } = await diagnosisOf(site);
    expect(exchanges.map(({ finding }) => [finding.code, finding.is_current])).toEqual([
      ['signed_in', false],
      ['factor_missing', false],
    ]);
  });

  test('says that the application asked for a second factor that the person does not have', async () => {
    const site = await makeSite(testApp.db);
    const requestedAuthnContext = { comparison: 'exact' as const, classes: [authnContexts.refedsMfa] };
    const { user } = await enter(site, {}, { requestedAuthnContext });
    expect(await newest(site)).toMatchObject({
      person: { id: user.id },
      finding: {
        code: 'authentication_weak',
        compared: [{ received: authnContexts.refedsMfa, registered: 'Without a second factor' }],
      },
    });
  });

  test('shows a success with the names and lengths of attributes, and a masked NameID', async () => {
    const site = await makeSite(testApp.db);
    const { user } = await enter(site);
    const { outcome, person, facts, finding } = await newest(site);
    expect({ outcome, person: person?.id, code: finding.code }).toEqual({
      outcome: 'accepted',
      person: user.id,
      code: 'signed_in',
    });
    const shown = JSON.stringify(facts);
    expect(shown).toContain(`email: ${user.email.length} characters`);
    expect(shown).not.toContain(user.email);
    expect(shown).toContain('•••@northlab.org');
  });
});

const startOf = async (site: Site, _browser: Browser): Promise<string> => {
  const xml = buildAuthnRequest({ ...requestOf(site), forceAuthn: true });
  return redirectUrl({ location: ssoUrl, kind: 'SAMLRequest', xml });
};

describe('§2.7 §7.13 a request of an OpenID Connect client', () => {
  test('with a redirect address that is not registered shows the nearest one', async () => {
    const client = await OidcClient.of(testApp);
    await testApp.browser().get(client.authorizationUrl({ redirect_uri: `${client.redirectUri}/` }));
    const { finding } = await newest(client.site);
    expect(finding).toMatchObject({
      code: 'redirect_uri_unregistered',
      compared: [{ label: 'Redirect URL', received: `${client.redirectUri}/`, registered: client.redirectUri }],
      is_current: true,
      fix: null,
    });
    expect(finding.sentence).toContain('the slash at the end differs');
  });

  test('that was pushed by the client itself can be fixed with one click', async () => {
    const client = await OidcClient.of(testApp);
    const redirect_uri = `${client.redirectUri}/v2`;
    const fields = { response_type: 'code', client_id: client.id, redirect_uri, scope: 'openid' };
    expect((await client.post('par', fields)).status).toBe(400);
    const { exchanges, version } = await diagnosisOf(client.site);
    expect(exchanges[0]).toMatchObject({ is_verified: true, finding: { code: 'redirect_uri_unregistered' } });
    const params = { site_id: client.site.id, exchange_id: exchanges[0]?.id ?? 0 };
    await call(fixSite, { params, body: { based_on: version } });
    expect((await client.post('par', fields)).status).toBe(201);
  });

  test('that a public client has pushed cannot be fixed with one click', async () => {
    const client = await OidcClient.of(testApp, { oidc: { authentication: 'none' } });
    const redirect_uri = `${client.redirectUri}/v2`;
    const fields = { response_type: 'code', client_id: client.id, redirect_uri, scope: 'openid' };
    await client.post('par', fields, {});
    expect(await newest(client.site)).toMatchObject({ is_verified: false, finding: { fix: null } });
  });

  test('with an unknown client id is shown at the site that has its address', async () => {
    const client = await OidcClient.of(testApp);
    await testApp.browser().get(client.authorizationUrl({ client_id: 'reports' }));
    expect((await newest(client.site)).finding).toMatchObject({
      code: 'client_unknown',
      compared: [{ received: 'reports', registered: client.id }, { label: 'Redirect URL' }],
    });
  });

  test('is not compared with a redirect address that was registered later', async () => {
    const client = await OidcClient.of(testApp);
    const added = `${client.redirectUri}/other`;
    await testApp.browser().get(client.authorizationUrl({ redirect_uri: added }));
    await testApp.parts.exchanges.flush();
    const { oidc } = client.site;
    if (!oidc) throw new Error('The site does not use OpenID Connect.');
    const redirect_uris = [...oidc.redirect_uris, added];
    await testApp.db
      .update(sites)
      .set({ oidc: { ...oidc, redirect_uris } })
      .where(eq(sites.id, client.site.id));
    const { finding } = await newest(client.site);
    expect(finding.sentence).toBe(
      `The request asked for the response at ${added}, which was not registered at that time.`,
    );
    expect(finding.is_current).toBe(false);
  });

  test('without PKCE is explained', async () => {
    const client = await OidcClient.of(testApp, { oidc: { requires_pkce: true } });
    await testApp.browser().get(client.authorizationUrl());
    expect((await newest(client.site)).finding.code).toBe('pkce_missing');
  });

  test('with a wrong secret is recognised without the secret, until the client got tokens', async () => {
    const client = await OidcClient.of(testApp);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const code = await client.code(browser, user.email);
    expect((await client.exchange(code, {}, client.basic('a wrong secret'))).status).toBe(401);
    const { finding } = await newest(client.site);
    expect(finding).toMatchObject({
      code: 'secret_wrong',
      is_current: true,
      compared: [{ registered: `One that ends in ${client.secret.slice(-4)}` }],
    });
    const rows = await testApp.db.select().from(siteExchanges).where(eq(siteExchanges.site_id, client.site.id));
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain('a wrong secret');
    expect(stored).not.toContain(code.code);
    expect(stored).not.toContain(code.verifier);
    expect(stored).not.toContain('a state');
    expect((await client.exchange(code)).status).toBe(200);
    const { exchanges } = await diagnosisOf(client.site);
    expect(exchanges.find((exchange) => exchange.finding.code === 'secret_wrong')?.finding.is_current).toBe(false);
  });

  test.each([
    ['no secret', { authentication: 'secret' }, {}, 'secret_missing'],
    [
      'a secret that a public client does not have',
      { authentication: 'none' },
      { client_secret: 'x' },
      'secret_unexpected',
    ],
    [
      'a secret instead of a signature',
      { authentication: 'private_key_jwt' },
      { client_secret: 'x' },
      'authentication_mismatch',
    ],
  ] as const)('with %s is explained', async (_, oidc, fields, expected) => {
    const { publicKey } = toPublic(key);
    const jwks = oidc.authentication === 'private_key_jwt' ? { keys: [publicKey] } : null;
    const client = await OidcClient.of(testApp, { oidc: { ...oidc, jwks } });
    const given = {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: client.redirectUri,
      client_id: client.id,
    };
    await client.post('token', { ...given, ...fields }, {});
    expect((await newest(client.site)).finding.code).toBe(expected);
  });

  test('with a used code, a wrong verifier or another address at the token endpoint is explained', async () => {
    const client = await OidcClient.of(testApp);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const first = await client.code(browser, user.email);
    await client.exchange({ ...first, verifier: `${first.verifier}x` });
    expect((await newest(client.site)).finding.code).toBe('code_verifier_wrong');
    await client.exchange(first, { redirect_uri: `${client.redirectUri}/` });
    expect((await newest(client.site)).finding.code).toBe('redirect_uri_changed');
    await client.exchange(first);
    await client.exchange(first);
    const { exchanges } = await diagnosisOf(client.site);
    const used = exchanges.find(({ finding }) => finding.code === 'code_refused');
    expect(used).toMatchObject({ is_verified: true, step: 'token' });
  });
});

const toPublic = ({ privateKey }: Key) => ({
  publicKey: createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' }) as Record<string, unknown>,
});

describe('§2.7 §7.13 unknown applications', () => {
  const listed = async () => {
    await testApp.parts.exchanges.flush();
    return (await call(listUnknownApplications, { params: { server_name: 'northlab' } })).applications;
  };

  test('are listed with their addresses, and can be dismissed', async () => {
    await testApp.db.delete(unknownArrivals);
    const site = await makeSite(testApp.db);
    const unknown = { issuer: 'https://wiki.example.org/sp', acsUrl: 'https://wiki.example.org/acs' };
    await send(site, unknown);
    const [first] = await listed();
    expect(first).toMatchObject({
      protocol: 'saml',
      identity: unknown.issuer,
      address: unknown.acsUrl,
      times: 1,
    });
    const params = { server_name: 'northlab', id: first?.id ?? 0 };
    await call(dismissUnknownApplication, { params });
    expect(await listed()).toEqual([]);
    await expect(call(dismissUnknownApplication, { params })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('cannot be dismissed through another network', async () => {
    await testApp.db.delete(unknownArrivals);
    await send(await makeSite(testApp.db), {
      issuer: 'https://forum.example.org/sp',
      acsUrl: 'https://forum.example.org/acs',
    });
    const [first] = await listed();
    const owner = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
    const other = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
    const params = { server_name: 'opensocial', id: first?.id ?? 0 };
    await expect(other(dismissUnknownApplication, { params })).rejects.toMatchObject({ code: 'not_found' });
    expect(await listed()).toHaveLength(1);
  });
});

test('§2.7 §7.13 a site that is watched records every success for ten minutes', async () => {
  const site = await makeSite(testApp.db);
  const visit = async () => enter(site);
  await visit();
  await visit();
  expect((await diagnosisOf(site)).exchanges).toHaveLength(1);
  const { watched_until } = await call(watchSite, { params: { site_id: site.id } });
  expect(Date.parse(watched_until ?? '') - Date.now()).toBeGreaterThan(9 * 60_000);
  for (let turn = 0; turn < 7; turn += 1) await visit();
  expect((await diagnosisOf(site)).exchanges).toHaveLength(8);
  await testApp.db.update(sites).set({ watched_until: new Date() }).where(eq(sites.id, site.id));
  await send(site, { acsUrl: `${site.acs}/` });
  const { exchanges } = await diagnosisOf(site);
  expect(exchanges.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(5);
});
