import { createPrivateKey } from 'node:crypto';
import { beginSiteTest, getSiteTest, getSubscriber, type SiteTest, updateSubscriber } from '@opensocial/contract';
import { buildAuthnRequest, redirectUrl } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { owners, type sites, siteTests, users } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { type Browser, type Page, textOf } from '../../testing/app/browser.ts';
import {
  makeGroup,
  makeSite,
  makeUser,
  oidcParameters,
  password,
  type SiteDraft,
  signInto,
} from '../../testing/app/builders.ts';
import { challengeOf, claimsIn, OidcClient, parametersOf, toTokens } from '../../testing/app/oidc-client.ts';
import { makeProviderKey, ServiceProvider } from '../../testing/app/service-provider.ts';
import { unescape } from '../../testing/app/shown-form.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { deleteStaleSignIns } from '../sign-in/sign-in.service.ts';
import { recordRedemption } from '../sign-in/site-test/redemption.ts';
import { createTestExplainer } from './site-tests.service.ts';

type Site = typeof sites.$inferSelect;
type User = typeof users.$inferSelect;

let testApp: TestApp;
const key = await makeProviderKey();
const otherKey = await makeProviderKey();

beforeAll(async () => {
  testApp = await buildTestApp();
});

const ssoUrl = `${testOrigin}/saml/northlab/sso`;

type RequestDraft = Partial<Parameters<typeof buildAuthnRequest>[0]> & { key?: typeof key };

/** Sends a request of a site in a browser. */
const send = (browser: Browser, site: Site, { key: signer, ...draft }: RequestDraft = {}) => {
  const xml = buildAuthnRequest({
    id: `_${newUid()}`,
    issuer: site.identity,
    destination: ssoUrl,
    acsUrl: site.acs,
    issueInstant: new Date(),
    ...draft,
  });
  const signing = signer && { privateKey: createPrivateKey(signer.privateKey), certificate: signer.certificate };
  return browser.get(
    redirectUrl({ location: ssoUrl, kind: 'SAMLRequest', xml, relayState: 'a secret relay', key: signing }),
  );
};

/** A browser in which a person is signed in at the identity provider and in the console. */
const signIn = async (user: User): Promise<Browser> => {
  const browser = await signInto(testApp.db, testApp.browser(), user);
  const other = await makeSite(testApp.db);
  await browser.submit(await browser.get(`/saml/northlab/start/${other.id}`), { email: user.email, password });
  return browser;
};

const makeOwner = () => makeUser(testApp.db, { owns: ['northlab'] });
const begin = (browser: Browser, { id }: Pick<Site, 'id'>): Promise<SiteTest> =>
  testApp.as(browser)(beginSiteTest, { params: { site_id: id } });
const read = async (browser: Browser, { id }: Pick<Site, 'id'>): Promise<SiteTest | null> =>
  (await testApp.as(browser)(getSiteTest, { params: { site_id: id } })).test;

const isPaused = ({ html }: Page): boolean => html.includes('Test sign-in');
const isSent = ({ html }: Page): boolean => html.includes('name="SAMLResponse"');
const choose = (browser: Browser, page: Page, decision: 'send' | 'stop') => browser.submit(page, { decision });
const responseIn = ({ form }: Page): string =>
  Buffer.from(form?.fields['SAMLResponse'] ?? '', 'base64').toString('utf8');

/** An owner with a test of a new SAML site. */
const beginSaml = async (draft: SiteDraft = {}) => {
  const owner = await makeOwner();
  const [browser, site] = [await signIn(owner), await makeSite(testApp.db, draft)];
  await begin(browser, site);
  return { owner, browser, site };
};

describe('§2.7 a test of a SAML site', () => {
  test('shows the request, its checks, the person and the answer, and sends it then', async () => {
    const { owner, browser, site } = await beginSaml();
    expect(await read(browser, site)).toMatchObject({ state: 'waiting', steps: [] });
    const page = await send(browser, site);
    expect(isPaused(page)).toBe(true);
    expect(isSent(page)).toBe(false);
    const text = textOf(page.html);
    expect(text).toContain('Everything is right on our side');
    expect(text).toContain('<samlp:AuthnRequest');
    expect(text).toContain(`>${site.identity}</saml:Issuer>`);
    expect(text).toContain(`The response goes to ${site.acs}, which is registered.`);
    expect(text).toContain(`You are signed in as ${owner.fullname} (${owner.email})`);
    expect(text).toContain(`<saml:Audience>${site.identity}</saml:Audience>`);
    expect(text).toContain(owner.email);
    expect(text).toContain('RelayState: 14 characters');
    expect(page.html).not.toContain('a secret relay');
    expect(page.html).not.toContain('SignatureValue');
    expect(await read(browser, site)).toMatchObject({ state: 'running', title: 'The response is ready' });
    const sent = await choose(browser, page, 'send');
    expect(isSent(sent)).toBe(true);
    expect(sent.form?.fields['RelayState']).toBe('a secret relay');
    expect(responseIn(sent)).toContain('SignatureValue');
    const result = await read(browser, site);
    expect(result).toMatchObject({ state: 'done', title: 'We sent a correct response' });
    expect(result?.steps.map(({ id }) => id)).toEqual(['request', 'person', 'answer', 'sent']);
    expect(JSON.stringify(result)).not.toContain('a secret relay');
    expect(result?.causes.join('\n')).not.toContain('only sign-ins that it has begun itself');
  });

  test('names its notes, and folds the messages below the buttons', async () => {
    const { owner, browser, site } = await beginSaml();
    await testApp.db.update(users).set({ firstname: '', lastname: '' }).where(eq(users.id, owner.id));
    const { html } = await send(browser, site);
    const text = textOf(html);
    expect(text).toContain('Everything is right on our side, with notes');
    expect(text).toMatch(/See the notes? on: [^.]*Attributes/);
    expect(text).toContain('You have no value for: firstname, lastname, fullname, groups.');
    expect(text).toContain(`You are signed in as ${owner.email}, without`);
    expect(html.indexOf('value="send"')).toBeLessThan(html.indexOf('The request, and its checks'));
    expect(html).not.toMatch(/<details[^>]* open/);
  });

  test('of a request that is refused leads to the diagnosis in the console', async () => {
    const { browser, site } = await beginSaml();
    const { html } = await send(browser, site, { acsUrl: `${site.acs}/` });
    const address = `${testOrigin}/sso-servers/northlab/sites/${site.domain}/${site.id}/sso#diagnosis`;
    expect(html).toContain(`<a href="${address}">Correct it in the console</a>`);
  });

  test('sends the same answer as without a test', async () => {
    const { browser, site } = await beginSaml();
    const draft = { id: `_${newUid()}`, nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' };
    const paused = await send(browser, site, draft);
    const tested = responseIn(await choose(browser, paused, 'send'));
    const plain = responseIn(await send(browser, site, draft));
    const stable = (xml: string) =>
      xml
        .replaceAll(/ID="_[^"]+"|URI="#_[^"]+"/g, '')
        .replaceAll(/(IssueInstant|NotBefore|NotOnOrAfter)="[^"]+"/g, '')
        .replaceAll(/<ds:(DigestValue|SignatureValue)>[^<]+/g, '');
    expect(stable(tested)).toBe(stable(plain));
    const instant = /<saml:Assertion[^>]*IssueInstant="([^"]+)"/.exec(tested)?.[1] ?? '';
    expect(Date.now() - Date.parse(instant)).toBeLessThan(10_000);
  });

  test('is stopped without an answer, and then the sign-ins are ordinary ones', async () => {
    const { browser, site } = await beginSaml();
    const stopped = await choose(browser, await send(browser, site), 'stop');
    expect(isSent(stopped)).toBe(false);
    expect(textOf(stopped.html)).toContain('Nothing was sent');
    expect(await read(browser, site)).toMatchObject({ state: 'stopped' });
    expect(isSent(await send(browser, site))).toBe(true);
  });

  test('is over for its form after it was stopped, also if the browser keeps the cookie', async () => {
    const { browser, site } = await beginSaml();
    const page = await send(browser, site);
    const cookie = browser.cookies.get(`test-${site.id}`) ?? '';
    await choose(browser, page, 'stop');
    browser.cookies.set(`test-${site.id}`, cookie);
    for (const decision of ['send', 'stop'] as const) expect((await choose(browser, page, decision)).status).toBe(410);
  });

  test.each<[string, SiteDraft, (site: Site) => RequestDraft, string]>([
    ['a wrong ACS URL', {}, ({ acs }) => ({ acsUrl: `${acs}/` }), 'the slash at the end differs'],
    [
      'a signature of another key',
      { certificate: key.certificate },
      () => ({ key: otherKey }),
      'The signature was not made with the registered certificate',
    ],
    [
      'no signature',
      { certificate: key.certificate, signed_requests: true },
      () => ({}),
      'The request has no signature',
    ],
    ['another destination', {}, () => ({ destination: `${ssoUrl}/` }), 'The request is meant for'],
    [
      'a time in the future',
      {},
      () => ({ issueInstant: new Date(Date.now() + 3_600_000) }),
      'The clock of the application is',
    ],
    [
      'a NameID that is not available',
      {},
      () => ({ nameIdFormat: 'urn:x:kerberos' }),
      'asks for a NameID of the format',
    ],
  ])('shows what is wrong with %s', async (_, siteDraft, request, sentence) => {
    const { browser, site } = await beginSaml(siteDraft);
    const page = await send(browser, site, request(site));
    expect(isPaused(page)).toBe(true);
    expect(isSent(page)).toBe(false);
    expect(textOf(page.html)).toContain('The request is not accepted');
    expect(textOf(page.html)).toContain(sentence);
    expect(page.html).toContain('Not checked');
    const result = await read(browser, site);
    expect(result?.text).toContain(sentence);
    // The application may be corrected and try again.
    expect(isPaused(await send(browser, site, siteDraft.certificate ? { key } : {}))).toBe(true);
  });

  test('sends a refusal that the application is told, after it was shown', async () => {
    const { browser, site } = await beginSaml();
    const page = await send(browser, site, { nameIdFormat: 'urn:x:kerberos' });
    const sent = await choose(browser, page, 'send');
    expect(responseIn(sent)).toContain('InvalidNameIDPolicy');
    expect(await read(browser, site)).toMatchObject({ state: 'failed', title: 'The application got a refusal' });
  });

  test('shows why the owner may not enter', async () => {
    const group = await makeGroup(testApp.db);
    const { browser, site } = await beginSaml({ groups: [group.id] });
    const page = await send(browser, site);
    expect(textOf(page.html)).toContain('You cannot enter Reports');
    // At the top, too: the list of all checks is longer than a screen.
    const verdict = page.html.slice(page.html.indexOf('class="verdict"'), page.html.indexOf('</section>'));
    expect(textOf(verdict)).toContain('is not in any of the groups');
    expect(page.form).toBeUndefined();
    expect(await read(browser, site)).toMatchObject({ state: 'failed' });
  });

  test('pauses after a sign-in that the request forces', async () => {
    const { owner, browser, site } = await beginSaml();
    const form = await send(browser, site, { forceAuthn: true });
    expect(await read(browser, site)).toMatchObject({ state: 'running', title: 'The request has arrived' });
    const page = await browser.submit(form, { email: owner.email, password });
    expect(isPaused(page)).toBe(true);
    expect(textOf(page.html)).toContain('ForceAuthn="true"');
    expect(isSent(await choose(browser, page, 'send'))).toBe(true);
  });

  test('answers a passive request without a pause, and says so', async () => {
    const { browser, site } = await beginSaml();
    expect(isSent(await send(browser, site, { isPassive: true }))).toBe(true);
    expect(JSON.stringify(await read(browser, site))).toContain('without a pause');
  });

  test('begins also from the tile of the desktop', async () => {
    const { browser, site } = await beginSaml();
    const page = await browser.get(`/saml/northlab/start/${site.id}`);
    expect(textOf(page.html)).toContain('there is no request of the application');
    expect(isSent(await choose(browser, page, 'send'))).toBe(true);
    expect((await read(browser, site))?.causes.join('\n')).toContain('only sign-ins that it has begun itself');
  });

  test('asks for the kind of sign-in that the person has not proven', async () => {
    const { browser, site } = await beginSaml();
    const contexts = { comparison: 'exact' as const, classes: ['urn:oasis:names:tc:SAML:2.0:ac:classes:Kerberos'] };
    const page = await send(browser, site, { requestedAuthnContext: contexts });
    expect(textOf(page.html)).toContain('asked for a stronger sign-in');
  });
});

describe('§2.7 a test with one signature', () => {
  const beginOne = (browser: Browser, { id }: Pick<Site, 'id'>): Promise<SiteTest> =>
    testApp.as(browser)(beginSiteTest, { params: { site_id: id }, query: { signs: 'assertion' } });
  const signedIn = (xml: string): string[] =>
    [...xml.matchAll(/<(samlp:Response|saml:Assertion) [^>]*ID="([^"]+)"/g)].flatMap(([, name = '', id]) =>
      xml.includes(`<ds:Reference URI="#${id}">`) ? [name] : [],
    );
  const both = ['samlp:Response', 'saml:Assertion'];

  test('is offered after both were sent, and signs only the assertion of this one response', async () => {
    const { browser, site } = await beginSaml();
    expect(await read(browser, site)).toMatchObject({ one_signature: 'none' });
    const first = responseIn(await choose(browser, await send(browser, site), 'send'));
    expect(signedIn(first)).toEqual(both);
    expect(await read(browser, site)).toMatchObject({ one_signature: 'offered' });

    expect(await beginOne(browser, site)).toMatchObject({ state: 'waiting', one_signature: 'none' });
    const page = await send(browser, site);
    expect(textOf(page.html)).toContain('The assertion is signed.');
    expect(await read(browser, site)).toMatchObject({ one_signature: 'none' });
    expect(signedIn(responseIn(await choose(browser, page, 'send')))).toEqual(['saml:Assertion']);
    expect(await read(browser, site)).toMatchObject({
      state: 'done',
      title: 'We sent a response with one signature',
      causes: [],
      one_signature: 'sent',
    });
    // The cookie of the test is still there.
    expect(signedIn(responseIn(await send(browser, site)))).toEqual(both);
    expect(signedIn(responseIn(await send(await signIn(await makeOwner()), site)))).toEqual(both);
  });

  test('is accepted by an application that needs only that signature, and refused by one that needs both', async () => {
    const { browser, site } = await beginSaml();
    const needsBoth = await ServiceProvider.of(testApp, site);
    const needsOne = await ServiceProvider.of(testApp, site, { wantAuthnResponseSigned: false });
    const answerTo = async (provider: ServiceProvider) => {
      await beginOne(browser, site);
      return choose(browser, await browser.get(await provider.signInUrl()), 'send');
    };
    await expect(needsBoth.receive(await answerTo(needsBoth))).rejects.toThrow('signature');
    expect((await needsOne.receive(await answerTo(needsOne))).nameID).toBeDefined();
  });

  test('ends when the owner saves that only the assertion is signed, which needs a fresh sign-in', async () => {
    const { owner, browser, site } = await beginSaml();
    await beginOne(browser, site);
    await choose(browser, await send(browser, site), 'send');
    const params = { server_name: 'northlab' };
    const { version, ...stored } = await testApp.as(browser)(getSubscriber, {
      params: { site_id: site.id, ...params },
    });
    const body = { ...stored, signs: 'assertion' as const, based_on: version };
    const before = new Date(Date.now() - 3_600_000);
    const late = testApp.as(await signInto(testApp.db, testApp.browser(), owner, before));
    await expect(late(updateSubscriber, { params, body })).rejects.toMatchObject({ code: 'reauth_required' });
    await testApp.as(browser)(updateSubscriber, { params, body });
    const result = await read(browser, site);
    expect(result).toMatchObject({ state: 'done', one_signature: 'none' });
    expect(result?.text).toContain('as it is at every sign-in');
    expect(signedIn(responseIn(await send(browser, site)))).toEqual(['saml:Assertion']);
  });

  test('also signs only the assertion of an answer without a pause', async () => {
    const { browser, site } = await beginSaml();
    await beginOne(browser, site);
    expect(signedIn(responseIn(await send(browser, site, { isPassive: true })))).toEqual(['saml:Assertion']);
    expect(await read(browser, site)).toMatchObject({ one_signature: 'sent' });
  });

  test('says nothing about signatures after a refusal', async () => {
    const { browser, site } = await beginSaml();
    await beginOne(browser, site);
    await choose(browser, await send(browser, site, { nameIdFormat: 'urn:x:kerberos' }), 'send');
    expect(await read(browser, site)).toMatchObject({ state: 'failed', one_signature: 'none' });
  });

  test.each(['assertion', 'response'] as const)('does not change a site that signs only the %s', async (signs) => {
    const { browser, site } = await beginSaml({ signs });
    await beginOne(browser, site);
    const sent = responseIn(await choose(browser, await send(browser, site), 'send'));
    expect(signedIn(sent)).toEqual([signs === 'assertion' ? 'saml:Assertion' : 'samlp:Response']);
    expect(await read(browser, site)).toMatchObject({ title: 'We sent a correct response', one_signature: 'none' });
  });

  test('is not offered for OpenID Connect', async () => {
    const { browser, client } = await beginOidc();
    await beginOne(browser, client.site);
    await choose(browser, await browser.get(client.authorizationUrl(pkce)), 'send');
    expect(await read(browser, client.site)).toMatchObject({ one_signature: 'none', title: 'The response was sent' });
  });
});

describe('§2.7 a test does not concern', () => {
  test('a browser without its cookie', async () => {
    const { owner, site } = await beginSaml();
    expect(isSent(await send(await signIn(owner), site))).toBe(true);
  });

  test('a browser with the cookie of an earlier test', async () => {
    const { owner, browser, site } = await beginSaml();
    const later = await signIn(owner);
    await begin(later, site);
    expect(isSent(await send(browser, site))).toBe(true);
    expect(isPaused(await send(later, site))).toBe(true);
  });

  test('another site', async () => {
    const { browser } = await beginSaml();
    expect(isSent(await send(browser, await makeSite(testApp.db)))).toBe(true);
  });

  test('another person in the same browser', async () => {
    const { browser, site } = await beginSaml();
    const person = await makeUser(testApp.db);
    const form = await send(browser, site, { forceAuthn: true });
    const page = await browser.submit(form, { email: person.email, password });
    expect(isPaused(page)).toBe(false);
    expect(isSent(page)).toBe(true);
    // The request of the other person is not recorded either.
    expect(isSent(await send(browser, site, { id: '_of-the-other' }))).toBe(true);
    const [row] = await testApp.db.select().from(siteTests).where(eq(siteTests.site_id, site.id));
    expect(JSON.stringify(row)).not.toContain('_of-the-other');
    expect(JSON.stringify(row)).not.toContain(person.email);
  });

  test('another owner who got the cookie', async () => {
    const { browser, site } = await beginSaml();
    const other = await signIn(await makeOwner());
    const name = `test-${site.id}`;
    other.cookies.set(name, browser.cookies.get(name) ?? '');
    expect(isSent(await send(other, site))).toBe(true);
    expect((await send(other, site, { acsUrl: `${site.acs}/` })).html).not.toContain('Test sign-in');
    expect(await read(other, site)).toBeNull();
  });

  test('a person who is not an owner any more', async () => {
    const { owner, browser, site } = await beginSaml();
    await testApp.db.delete(owners).where(eq(owners.email, owner.email));
    expect(isSent(await send(browser, site))).toBe(true);
  });

  test('sign-ins after it has expired', async () => {
    const { browser, site } = await beginSaml();
    const page = await send(browser, site);
    const past = new Date(Date.now() - 1_000);
    await testApp.db.update(siteTests).set({ expires_at: past }).where(eq(siteTests.site_id, site.id));
    expect((await choose(browser, page, 'send')).status).toBe(410);
    expect(isSent(await send(browser, site))).toBe(true);
    expect(await read(browser, site)).toMatchObject({ state: 'expired' });
    const hours = new Date(Date.now() - 2 * 3_600_000);
    await testApp.db.update(siteTests).set({ expires_at: hours }).where(eq(siteTests.site_id, site.id));
    await deleteStaleSignIns(testApp.parts);
    expect(await read(browser, site)).toBeNull();
  });

  test('a form of another browser, of another tab or without its token', async () => {
    const { browser, site } = await beginSaml();
    const [first, second] = [await send(browser, site), await send(browser, site)];
    expect((await choose(browser, first, 'send')).status).toBe(410);
    expect((await browser.submit(second, { decision: 'send', csrf: 'none' })).status).toBe(410);
    const other = await signIn(await makeOwner());
    expect((await choose(other, second, 'send')).status).toBe(410);
    expect(isSent(await choose(browser, second, 'send'))).toBe(true);
    // Only once.
    expect((await choose(browser, second, 'send')).status).toBe(410);
  });

  test('a person who signed in between the page and its form', async () => {
    const { browser, site } = await beginSaml();
    const page = await send(browser, site);
    const identity = (await signIn(await makeOwner())).cookies.get('opensocial_identity') ?? '';
    browser.cookies.set('opensocial_identity', identity);
    expect((await choose(browser, page, 'send')).status).toBe(410);
  });

  test('people who may not administer the site', async () => {
    const { site } = await beginSaml();
    const member = await signIn(await makeUser(testApp.db));
    await expect(begin(member, site)).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = await signIn(await makeUser(testApp.db, { network: 'opensocial' }));
    await expect(begin(stranger, site)).rejects.toMatchObject({ code: 'not_found' });
  });
});

/** An owner with a test of a new client. */
const beginOidc = async (draft: Parameters<typeof OidcClient.of>[1] = {}) => {
  const owner = await makeOwner();
  const [browser, client] = [await signIn(owner), await OidcClient.of(testApp, draft)];
  await begin(browser, client.site);
  return { owner, browser, client };
};

/** Where a page that refreshes itself leads to. */
const refreshOf = ({ html }: Page): string => unescape(/content="0; url=([^"]+)"/.exec(html)?.[1] ?? '');

const verifier = 'v'.repeat(60);
const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
const refusedScope = { ...pkce, scope: 'profile', acr_values: 'x' };

describe('§2.7 a test of a client of OpenID Connect', () => {
  test('shows the request and the ID token, sends the code and says that it was redeemed', async () => {
    const { owner, browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl({ ...pkce, nonce: 'a secret nonce' }));
    expect(isPaused(page)).toBe(true);
    const text = textOf(page.html);
    expect(text).toContain('state: 7 characters');
    expect(text).toContain(`The response goes to ${client.redirectUri}, which is registered.`);
    expect(text).toContain('The request uses PKCE with the method S256.');
    expect(text).toContain(`"email": "${owner.email}"`);
    expect(page.html).not.toContain('a secret nonce');
    const sent = await choose(browser, page, 'send');
    const { code = '', state } = parametersOf(sent);
    expect(state).toBe('a state');
    expect(await read(browser, client.site)).toMatchObject({ state: 'running', title: 'The response was sent' });
    const tokens = toTokens(await client.exchange({ code, verifier }));
    const done = await eventually(async () => {
      const result = await read(browser, client.site);
      expect(result?.state).toBe('done');
      return result;
    });
    expect(done?.steps.map(({ id }) => id)).toEqual(['request', 'person', 'answer', 'sent', 'token']);
    // What was shown is what the application has got.
    const shown = JSON.parse(/Claims of the ID token (\{[^]*?\n?\})(?= Send| *$| )/.exec(text)?.[1] ?? '{}') as object;
    const got = claimsIn(tokens.id);
    const madeLater = ['iat', 'exp', 'at_hash', 'nonce'];
    const stable = (claims: object) =>
      Object.fromEntries(Object.entries(claims).filter(([name]) => !madeLater.includes(name)));
    expect(stable(shown)).toEqual(stable(got));
  });

  test.each<[string, (client: OidcClient) => Record<string, string | undefined>, string]>([
    [
      'an unregistered redirect address',
      (c) => ({ ...pkce, redirect_uri: `${c.redirectUri}/` }),
      'the slash at the end differs',
    ],
    ['no PKCE', () => ({}), 'PKCE'],
    ['a scope that its other parameters need', () => refusedScope, 'scope'],
  ])('shows what is wrong with %s', async (_, changes, sentence) => {
    const redirect_uris = [`https://${newUid()}.northlab.org/callback`];
    const { browser, client } = await beginOidc({ oidc: oidcParameters({ redirect_uris }) });
    const page = await browser.get(client.authorizationUrl(changes(client)));
    expect(isPaused(page)).toBe(true);
    expect(textOf(page.html)).toContain('The request is not accepted');
    const result = await read(browser, client.site);
    expect(result?.state).toBe('failed');
    expect(result?.text).toContain(sentence);
    expect(isPaused(await browser.get(client.authorizationUrl(pkce)))).toBe(true);
  });

  test.each([
    [
      'a wrong secret',
      (client: OidcClient, code: string) => client.exchange({ code, verifier }, {}, client.basic('wrong')),
      'secret',
    ],
    [
      'a wrong code verifier',
      (client: OidcClient, code: string) => client.exchange({ code, verifier: 'w'.repeat(60) }),
      'verifier',
    ],
  ])('says that the code was not redeemed because of %s', async (_, exchange, word) => {
    const { browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl(pkce));
    const { code = '' } = parametersOf(await choose(browser, page, 'send'));
    expect((await exchange(client, code)).status).toBeGreaterThanOrEqual(400);
    await eventually(async () => {
      const result = await read(browser, client.site);
      expect(result).toMatchObject({ state: 'failed', title: 'The application could not redeem its code' });
      expect(result?.text).toContain(word);
    });
  });

  test.each([
    ['a redirect', {}],
    ['a form', { response_mode: 'form_post' }],
  ])('sends an error of the library by %s after it was shown, and says so', async (_, mode) => {
    const { browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl({ ...mode, ...refusedScope }));
    expect(page.url).toContain('/oidc/northlab/auth?');
    expect(textOf(page.html)).toContain('The application gets the error invalid_');
    expect(textOf(page.html)).toContain('Send the refusal to');
    expect(await read(browser, client.site)).toMatchObject({ state: 'failed', title: 'The sign-in was refused' });
    const sent = await choose(browser, page, 'send');
    const got = 'response_mode' in mode ? sent.form?.fields : parametersOf({ url: refreshOf(sent) });
    expect(got).toMatchObject({ error: expect.stringMatching(/^invalid_/), state: 'a state' });
    const result = await read(browser, client.site);
    expect(result).toMatchObject({ state: 'failed', title: 'The application got a refusal' });
    expect(result?.steps.map(({ id }) => id)).toEqual(['request', 'answer', 'sent']);
    expect((await choose(browser, page, 'send')).status).toBe(410);
  });

  test('does not send an error of the library after it was stopped', async () => {
    const { browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl(refusedScope));
    expect(textOf(page.html)).toContain('The request is not accepted');
    expect(textOf((await choose(browser, page, 'stop')).html)).toContain('Nothing was sent');
    expect(await read(browser, client.site)).toMatchObject({ state: 'stopped' });
  });

  test('shows an error that no application can be told, without a button that sends it', async () => {
    const { browser, client } = await beginOidc();
    const mode = { response_mode: 'form_post', redirect_uri: 'https://elsewhere.example/callback' };
    const page = await browser.get(client.authorizationUrl({ ...pkce, ...mode }));
    expect(textOf(page.html)).toContain('The request is not accepted');
    expect(page.form).toBeUndefined();
    expect(page.html).not.toContain('action="https://elsewhere.example');
  });

  test('shows why the owner may not enter, and the application is told nothing', async () => {
    const group = await makeGroup(testApp.db);
    const { browser, client } = await beginOidc({ groups: [group.id] });
    const page = await browser.get(client.authorizationUrl(pkce));
    expect(textOf(page.html)).toContain('You cannot enter');
    expect(textOf(page.html)).toContain('is not in any of the groups');
    expect(page.form).toBeUndefined();
    expect(await read(browser, client.site)).toMatchObject({ state: 'failed', title: 'The sign-in was refused' });
  });

  test('shows that the request asks for another person, and sends that refusal', async () => {
    const { owner, browser, client } = await beginOidc();
    const claims = JSON.stringify({ id_token: { sub: { value: newUid() } } });
    const form = await browser.get(client.authorizationUrl({ ...pkce, claims }));
    const page = await browser.submit(form, { email: owner.email, password });
    expect(textOf(page.html)).toContain('You cannot enter');
    expect(textOf(page.html)).toContain('somebody else is signed in');
    expect(parametersOf(await choose(browser, page, 'send'))['error']).toBe('login_required');
    const result = await read(browser, client.site);
    expect(result).toMatchObject({ state: 'failed', title: 'The application got a refusal' });
    expect(result?.steps.at(-1)?.checks[0]?.text).toContain('the error login_required');
  });

  test('shows that the kind of sign-in is not available after a sign-in that the request forces', async () => {
    const { owner, browser, client } = await beginOidc();
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:x:unknown'] } } });
    const form = await browser.get(client.authorizationUrl({ ...pkce, prompt: 'login', claims }));
    const page = await browser.submit(form, { email: owner.email, password });
    expect(textOf(page.html)).toContain('asked for a stronger sign-in');
    expect(parametersOf(await choose(browser, page, 'send'))['error']).toBe('unmet_authentication_requirements');
  });

  test('records the error of a request without a page', async () => {
    const group = await makeGroup(testApp.db);
    const { browser, client } = await beginOidc({ groups: [group.id] });
    const answered = await browser.get(client.authorizationUrl({ ...pkce, prompt: 'none' }));
    expect(parametersOf(answered)['error']).toBe('access_denied');
    const result = await read(browser, client.site);
    expect(result).toMatchObject({ state: 'failed', title: 'The sign-in was refused' });
    expect(result?.text).toContain('a refusal (access_denied) was sent without a pause');
    expect(result?.steps.map(({ id }) => id)).toEqual(['request', 'sent']);
  });

  test('says that the sign-in was refused also after the test has expired', async () => {
    const { browser, client } = await beginOidc();
    await browser.get(client.authorizationUrl(refusedScope));
    const past = new Date(Date.now() - 1_000);
    await testApp.db.update(siteTests).set({ expires_at: past }).where(eq(siteTests.site_id, client.site.id));
    expect(await read(browser, client.site)).toMatchObject({ state: 'failed', title: 'The sign-in was refused' });
  });

  test('says that there is no ID token without the scope openid', async () => {
    const { browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl({ ...pkce, scope: 'profile' }));
    expect(textOf(page.html)).toContain('gets no ID token');
    expect(page.html).not.toContain('Claims of the ID token');
    const { code = '' } = parametersOf(await choose(browser, page, 'send'));
    expect((await client.exchange({ code, verifier })).body['id_token']).toBeUndefined();
  });

  test('shows parameters of strangers as text, and stores what can be stored', async () => {
    const { browser, client } = await beginOidc();
    const hostile = '</pre><script>x</script>\u202E';
    const page = await browser.get(client.authorizationUrl({ ...pkce, ui_locales: hostile }));
    expect(isPaused(page)).toBe(true);
    expect(page.html).not.toContain('<script>x');
    expect(page.html).not.toContain('\u202E');
    const refused = await browser.get(client.authorizationUrl({ ...pkce, redirect_uri: `https://x/${hostile}` }));
    expect(textOf(refused.html)).toContain('The request is not accepted');
    expect(refused.html).not.toContain('<script>x');
  });

  test('is not told about the codes of other people', async () => {
    const { browser, client } = await beginOidc();
    const person = await makeUser(testApp.db);
    const code = await client.code(testApp.browser(), person.email);
    toTokens(await client.exchange(code));
    expect(await read(browser, client.site)).toMatchObject({ state: 'waiting', steps: [] });
  });

  test('is not told how another client uses its code', async () => {
    const { browser, client } = await beginOidc();
    const other = await OidcClient.of(testApp);
    const page = await browser.get(client.authorizationUrl(pkce));
    const { code = '' } = parametersOf(await choose(browser, page, 'send'));
    const parts = { ...testApp.parts, explainer: createTestExplainer(testApp.parts) };
    const failure = { code: 'code_refused', facts: {}, isVerified: false } as const;
    await recordRedemption(parts, other.site.id, { code, failure });
    expect(await read(browser, client.site)).toMatchObject({ state: 'running', title: 'The response was sent' });
    await recordRedemption(parts, client.site.id, { code, failure });
    expect(await read(browser, client.site)).toMatchObject({ title: 'The application could not redeem its code' });
  });

  test('pauses after a sign-in that the request forces', async () => {
    const { owner, browser, client } = await beginOidc();
    const form = await browser.get(client.authorizationUrl({ ...pkce, prompt: 'login' }));
    const page = await browser.submit(form, { email: owner.email, password });
    expect(isPaused(page)).toBe(true);
    expect(parametersOf(await choose(browser, page, 'send'))['code']).toBeDefined();
  });

  test('answers without a pause if the request asks for no page', async () => {
    const { browser, client } = await beginOidc();
    const answered = await browser.get(client.authorizationUrl({ ...pkce, prompt: 'none' }));
    expect(parametersOf(answered)['code']).toBeDefined();
    const result = await read(browser, client.site);
    expect(result?.steps.map(({ id }) => id)).toEqual(['request', 'sent']);
    expect(JSON.stringify(result)).toContain('without a pause');
  });

  test('does not concern another person in the same browser', async () => {
    const { browser, client } = await beginOidc();
    const person = await makeUser(testApp.db);
    const form = await browser.get(client.authorizationUrl({ ...pkce, prompt: 'login' }));
    const answered = await browser.submit(form, { email: person.email, password });
    expect(parametersOf(answered)['code']).toBeDefined();
  });

  test('is stopped without a code', async () => {
    const { browser, client } = await beginOidc();
    const page = await browser.get(client.authorizationUrl(pkce));
    expect(textOf((await choose(browser, page, 'stop')).html)).toContain('Nothing was sent');
    expect(parametersOf(await browser.get(client.authorizationUrl(pkce)))['code']).toBeDefined();
  });
});
