import { isConsolePath } from '@opensocial/contract';
import { buildResponse, newSamlId, readPost, type SigningKey } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleSessions, identitySessions, users } from '../../database/schema.ts';
import { makeSigningKey, openSigningKey } from '../../secrets/signing-keys.ts';
import { type Browser, type Page, textOf } from '../../testing/app/browser.ts';
import { makeUser, password, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { wrapped } from '../../testing/payloads/wrapping.ts';
import { findNetworkByName } from '../networks/networks.queries.ts';
import { endOtherSessions } from '../users/users.passwords.service.ts';

let testApp: TestApp;
let idpKey: SigningKey;
/** A browser with a session, whose sign-in is answered at once with a redirect. */
let visitor: Browser;
beforeAll(async () => {
  testApp = await buildTestApp();
  const main = await findNetworkByName(testApp.db, 'opensocial');
  if (!main) throw new Error('There is no main network.');
  idpKey = testApp.parts.keyring(main.key);
  visitor = await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db));
});

const sessionOf = async (browser: Browser) =>
  (await browser.fetch('/server/getsession')).json() as Promise<{ user: unknown }>;

/** Signs in up to the response that the browser posts to the console. */
const answerFor = async (browser: Browser, email: string, next = '/'): Promise<Page> => {
  const page = await browser.get(`/server/saml/login?next=${encodeURIComponent(next)}`);
  return page.form?.fields['SAMLResponse'] ? page : browser.submit(page, { email, password });
};

describe('signing in to the console', () => {
  test('goes through the main network and returns to the requested page', async () => {
    const user = await makeUser(testApp.db, { network: 'southlab' });
    const browser = testApp.browser();
    const page = await browser.submit(await answerFor(browser, user.email, '/sso-servers/southlab/sites?x=1'));
    expect(page.url).toBe(`${testOrigin}/sso-servers/southlab/sites?x=1`);
    expect(await sessionOf(browser)).toMatchObject({
      user: {
        username: user.email,
        name: 'Ana Moreno',
        default_server: 'southlab',
        selected_server: 'southlab',
        is_admin: false,
        last_login_from: 'OpenSocial',
      },
    });
  });

  test.for([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2F%2Fevil.example',
    'https://evil.example',
    'https:evil.example',
    'http:evil.example',
    'http://localhost:8080@evil.example/about',
    'http://localhost:8080.evil.example/about',
    '/\t/evil.example',
    '/\r\n/evil.example',
    '/about\r\nSet-Cookie: session=planted',
    ' //evil.example',
    '\u2028//evil.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    '/server/saml/logout',
    '/%73erver/saml/logout',
    '/%2573erver/saml/logout',
    '/SERVER/saml/logout',
    '/./server/saml/logout',
    '/%2e/server/saml/logout',
    '/x/../server/saml/logout',
    '/about/../server/saml/logout',
    '/about/%2e%2e/server/saml/logout',
    '/about\\..\\server\\saml\\logout',
    '/sso-servers/..%2f..%2fserver/saml/logout',
    '/sso-servers/%252e%252e/server/saml/logout',
    '/sso-servers/%25252e%25252e%25252fserver',
    '/sso-servers/..%5cserver',
    '/sso-servers/..;/server/saml/logout',
    '/sso-servers//server',
    '/sso-servers/%00',
    '/sso-servers/%0d%0aLocation:%20https://evil.example',
    '/sso-servers/%ff',
    '/server/report',
    '/%73erver/report',
    '/\uff53erver/report',
    '/saml/designer',
    '/prxy/report',
    '/signin/report',
    '/oidc/report',
    '/oidc/authorize?client_id=1',
    '/set-password?email=a@b.org&token=c',
    '/set-password/report',
    '/signin/token',
    '/saml/northlab/start/1',
    '/media/a.svg',
    '/metrics',
    'server/saml/logout',
    'http:nowhere',
    'nowhere',
    './nowhere',
    '/server%2Fsaml%2Flogout',
    '/nowhere/%2e%2e/server/saml/logout',
    '/nowhere/..%2fserver',
    '/nowhere//evil.example',
    '/%2Fevil.example/',
    '/%252F%252Fevil.example',
    '/%5Cevil.example',
    '/nowhere\\..\\..\\server',
    '/nowhere/%0d%0aSet-Cookie:%20session=planted',
    '/\ufeffserver/../saml/northlab/start/1',
    '/Media/a.svg',
    '/nowhere/' + 'x'.repeat(600),
    '/sso-servers/' + 'x'.repeat(600),
    '/sso-servers/' + 'é'.repeat(200),
    // So many layers of encoding are refused, because decoding each of them costs time.
    `/%${'25'.repeat(20)}41`,
  ])('never redirects to another origin or to a path of the server: %j', async (next) => {
    const login = await visitor.fetch(`/server/saml/login?next=${encodeURIComponent(next)}`);
    expect([login.status, login.headers.get('location')]).toEqual([303, '/']);
  });

  test.for([
    ['/', '/'],
    ['/about', '/about'],
    ['/profile?tab=mfa#top', '/profile?tab=mfa'],
    ['/activity/changes/7/details?search=a%20b&x=%2F..%2F', '/activity/changes/7/details?search=a%20b&x=%2F..%2F'],
    ['/sso-servers', '/sso-servers'],
    ['/sso-servers/northlab/', '/sso-servers/northlab/'],
    ['/sso-servers/northlab/sites/a%2Fb%20c/12/details', '/sso-servers/northlab/sites/a%2Fb%20c/12/details'],
    ['/sso-servers/northlab/groups/100%25/3/details', '/sso-servers/northlab/groups/100%25/3/details'],
    ['/opensocial/server/northlab/3/details', '/opensocial/server/northlab/3/details'],
    ['/opensocial/report', '/opensocial/report'],
    ['/any%20product/designer?id=1', '/any%20product/designer?id=1'],
    ['/x/../about', '/about'],
    [`${testOrigin}/about`, '/about'],
    // These are not screens: the console answers them with its 404 page.
    ['/about/further', '/about/further'],
    ['/nowhere', '/nowhere'],
    ['/no/such%2Fplace?x=%C3%A9', '/no/such%2Fplace?x=%C3%A9'],
    ['/index.html', '/index.html'],
    ['/serverless/saml', '/serverless/saml'],
    ['/nowhere?next=//evil.example', '/nowhere?next=//evil.example'],
  ] as const)('redirects back to a screen: %s', async ([next, screen]) => {
    const login = await visitor.fetch(`/server/saml/login?next=${encodeURIComponent(next)}`);
    expect([login.status, login.headers.get('location')]).toEqual([303, screen]);
  });

  test('recognises every path that the server answers itself', () => {
    const printed = testApp.app.printRoutes({ commonPrefix: false });
    const first = [...printed.matchAll(/^[├└]── \/?([a-z-]+)(?=[/ ])/gm)].map(([, segment = '']) => segment);
    expect(first).toEqual(expect.arrayContaining(['server', 'prxy', 'saml', 'signin', 'healthz']));
    expect(first.filter((segment) => isConsolePath(`/${segment}/x`))).toEqual([]);
  });

  test('applies the same rule at the end of a whole sign-in', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.submit(await answerFor(browser, user.email, '/x/../server/saml/logout'));
    expect(page.url).toBe(`${testOrigin}/`);
  });

  test('leaves the cookies of an application on another port of the host as they are', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const theirs = ['session', 'identity', 'logout', 'device'];
    for (const name of theirs) browser.cookies.set(name, 'of the application');
    await browser.submit(await answerFor(browser, user.email));
    expect(await sessionOf(browser)).toMatchObject({ user: { username: user.email } });
    for (const name of theirs) expect(browser.cookies.get(name)).toBe('of the application');
  });

  test('gives the browser a new session token; a planted one is not valid', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    browser.cookies.set('opensocial_session', 'planted');
    await browser.submit(await answerFor(browser, user.email));
    expect(browser.cookies.get('opensocial_session')).not.toBe('planted');
    expect(await sessionOf(browser)).toMatchObject({ user: { username: user.email } });
  });

  test('leaves a limited number of cookies if it is never finished', async () => {
    const browser = testApp.browser();
    for (let visit = 0; visit < 12; visit += 1) await browser.get('/server/saml/login');
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('login-')).length).toBeLessThanOrEqual(5);
  });

  test('at another host name of ours continues at PUBLIC_URL', async () => {
    const answer = await testApp.app.inject({
      url: '/server/saml/login?next=/about',
      headers: { host: '127.0.0.1:8080' },
    });
    expect(answer.headers.location).toBe(`${testOrigin}/server/saml/login?next=%2Fabout&moved=yes`);
  });

  test('a disabled account is signed out at its next request', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await answerFor(browser, user.email));
    await testApp.db.update(users).set({ user_mode: 'Disable' }).where(eq(users.id, user.id));
    expect(await sessionOf(browser)).toMatchObject({ user: 'no session' });
  });

  test('use of the console prolongs the identity session for the sites too', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await answerFor(browser, user.email));
    const quarterAgo = new Date(Date.now() - 15 * 60_000);
    await testApp.db
      .update(consoleSessions)
      .set({ last_seen_at: quarterAgo })
      .where(eq(consoleSessions.user_id, user.id));
    await testApp.db
      .update(identitySessions)
      .set({ last_seen_at: quarterAgo })
      .where(eq(identitySessions.user_id, user.id));
    await sessionOf(browser);
    const [identity] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    expect(Date.now() - (identity?.last_seen_at.getTime() ?? 0)).toBeLessThan(60_000);
  });

  test('a response that arrives after a password change or a sign-out opens no session: the person has to sign in again', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const held = await answerFor(browser, user.email, '/profile');
    await testApp.db.transaction((tx) => endOtherSessions(tx, testApp.parts.jobs, user.id));
    const page = await browser.submit(held);
    expect(page.url).toContain('/signin/');
    expect(await sessionOf(browser)).toMatchObject({ user: 'no session' });
    const again = await browser.submit(await browser.submit(page, { email: user.email, password }));
    expect(again.url).toBe(`${testOrigin}/profile`);
  });

  test('a session ends after 30 minutes without use, and after 10 hours', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await answerFor(browser, user.email));
    const age = async (changes: Partial<typeof consoleSessions.$inferInsert>) => {
      await testApp.db.update(consoleSessions).set(changes).where(eq(consoleSessions.user_id, user.id));
      return (await sessionOf(browser)).user;
    };
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    expect(await age({ last_seen_at: minutesAgo(29) })).not.toBe('no session');
    expect(await age({ last_seen_at: minutesAgo(31) })).toBe('no session');
    expect(await age({ last_seen_at: new Date(), authenticated_at: minutesAgo(601) })).toBe('no session');
  });
});

describe("the console's assertion consumer service refuses", () => {
  /** Posts a changed response instead of the genuine one, and expects a page and no session. */
  const attack = async (change: (xml: string, requestId: string) => string | Promise<string>) => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await answerFor(browser, user.email);
    const { xml } = readPost(page.form?.fields ?? {});
    const requestId = /InResponseTo="([^"]+)"/.exec(xml)?.[1] ?? '';
    const forged = Buffer.from(await change(xml, requestId)).toString('base64');
    const answer = await browser.submit(page, { SAMLResponse: forged });
    expect(await sessionOf(browser)).toMatchObject({ user: 'no session' });
    expect(answer.status).toBe(400);
    return textOf(answer.html);
  };

  const draft = (requestId: string) => ({
    id: newSamlId(),
    assertionId: newSamlId(),
    issuer: `${testOrigin}/saml/opensocial/metadata`,
    destination: `${testOrigin}/server/saml/acs`,
    audience: `${testOrigin}/server/saml/metadata`,
    inResponseTo: requestId,
    issueInstant: new Date(),
    authnInstant: new Date(),
    sessionIndex: newSamlId(),
    nameId: { value: 'ana@northlab.org', format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' },
    attributes: [{ name: 'uid', values: ['x'] }],
  });

  test('a tampered name', async () => {
    expect(await attack((xml) => xml.replace(/@northlab\.org/g, '@evil.example'))).toMatch(/signature/);
  });

  test('a comment or a processing instruction in the name', async () => {
    expect(await attack((xml) => xml.replace('@northlab.org<', '@northlab.org<!---->.evil.example<'))).toMatch(
      /never accepted/,
    );
    expect(await attack((xml) => xml.replace('@northlab.org<', '@northlab.org<?x y?><'))).toMatch(/never accepted/);
  });

  test('a signed element wrapped in a forged one, in all eight variants', async () => {
    for (let index = 0; index < 8; index += 1) {
      const told = await attack((xml) => {
        const [name, forged] = wrapped(xml)[index] ?? ['', ''];
        expect(forged, name).toContain('@evil.example');
        return forged;
      });
      expect(told).toMatch(/signature|exactly one assertion|same ID|not signed/);
    }
  });

  test('a response in which one or both signatures are missing', async () => {
    const signature = /<ds:Signature [^]*?<\/ds:Signature>/;
    expect(await attack((xml) => xml.replace(signature, ''))).toMatch(/not signed/);
    expect(await attack((xml) => xml.replace(new RegExp(signature, 'g'), ''))).toMatch(/not signed/);
  });

  test('a signature by another key', async () => {
    const { privateKey, certificate } = await makeSigningKey('somebody else');
    const foreign = { privateKey: openSigningKey(privateKey), certificate };
    expect(await attack((_xml, requestId) => buildResponse(draft(requestId), foreign))).toMatch(/signature/i);
  });

  test('a response for another audience, address or request, from another issuer, or one that is too old', async () => {
    const forge = (changes: object) =>
      attack((_xml, requestId) => buildResponse({ ...draft(requestId), ...changes }, idpKey));
    expect(await forge({ audience: 'https://other.example' })).toMatch(/another audience/);
    expect(await forge({ destination: 'https://other.example/acs' })).toMatch(/another (address|recipient)/);
    expect(await forge({ inResponseTo: newSamlId() })).toMatch(/another request/);
    expect(await forge({ inResponseTo: undefined })).toMatch(/another request/);
    expect(await forge({ issuer: `${testOrigin}/saml/northlab/metadata` })).toMatch(/unexpected issuer/);
    expect(await forge({ issueInstant: new Date(Date.now() - 600_000) })).toMatch(/expired/);
    expect(await forge({ issueInstant: new Date(Date.now() + 600_000) })).toMatch(/not valid yet/);
  });

  test('a response that was already used', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await answerFor(browser, user.email);
    const kept = new Map(browser.cookies);
    await browser.submit(page);
    const thief = testApp.browser();
    for (const [name, value] of kept) if (name.startsWith('login-')) thief.cookies.set(name, value);
    const replayed = await thief.submit(page);
    expect(textOf(replayed.html)).toMatch(/used before/);
    expect(await sessionOf(thief)).toMatchObject({ user: 'no session' });
  });

  test('a response that this browser did not request: the person has to sign in instead', async () => {
    const user = await makeUser(testApp.db);
    const page = await answerFor(testApp.browser(), user.email);
    const victim = testApp.browser();
    expect(textOf((await victim.submit(page)).html)).toContain('Password');
    expect(await sessionOf(victim)).toMatchObject({ user: 'no session' });
  });
});
