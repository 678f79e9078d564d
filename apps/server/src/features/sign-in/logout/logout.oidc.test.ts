import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { SignJWT, UnsecuredJWT } from 'jose';
import * as oidc from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleSessions, identitySessions, oidcKeys, type sites } from '../../../database/schema.ts';
import { type Page, textOf } from '../../../testing/app/browser.ts';
import { makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { idTokenClaims, makeClient, signIdToken, signInAt } from '../../../testing/app/oidc-site.ts';
import { RelyingParty } from '../../../testing/app/relying-party.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { loadKeys, oidcKeyFor } from '../oidc/keys.ts';
import { sidOf } from '../oidc/sid.ts';

type Site = typeof sites.$inferSelect;
type Session = typeof identitySessions.$inferSelect;

let testApp: TestApp;
let site: Site;
/** Another client of the network, and one of another network. */
let other: Site;
let foreign: Site;
const returnTo = 'https://app.northlab.org/bye';
const withQuery = 'https://app.northlab.org/bye?from=sso&mark=%20';
beforeAll(async () => {
  testApp = await buildTestApp();
  site = await makeClient(testApp.db, { post_logout_uris: [returnTo, withQuery] });
  other = await makeClient(testApp.db, { post_logout_uris: ['https://other.northlab.org/bye'] });
  foreign = await makeClient(
    testApp.db,
    { post_logout_uris: ['https://foreign.southlab.org/bye'] },
    { network: 'southlab' },
  );
});

const path = '/oidc/northlab/logout';
const address = (parameters: Record<string, string>, at = path) => `${at}?${new URLSearchParams(parameters)}`;
const tokenFor = (session: Session, changes: Record<string, unknown> = {}) =>
  signIdToken(testApp, site, { ...idTokenClaims(testApp, site, session), ...changes });
const isLive = async ({ id }: Session) =>
  (await testApp.db.$count(identitySessions, eq(identitySessions.id, id))) === 1;
const question = 'Sign out of OpenSocial?';
const isQuestion = ({ status, html }: Page) => status === 200 && textOf(html).includes(question);
const isSignedOutPage = ({ status, html }: Page) => status === 200 && textOf(html).includes('You are signed out');

describe('§11 a logout that a client begins with the ID token of the session', () => {
  test('ends the session at once, the session of the console too, and returns to the registered address', async () => {
    const { browser, session, user } = await signInAt(testApp, [site]);
    const id_token_hint = await tokenFor(session);
    const page = await browser.get(address({ id_token_hint, post_logout_redirect_uri: returnTo, state: 'a b&c=#' }));
    expect([page.status, page.url]).toEqual([303, `${returnTo}?state=a+b%26c%3D%23`]);
    expect(await isLive(session)).toBe(false);
    expect(await testApp.db.$count(consoleSessions, eq(consoleSessions.user_id, user.id))).toBe(0);
    expect([...browser.cookies.keys()].filter((name) => /identity|session|logout/.test(name))).toEqual([]);
  });

  test.each([
    ['its own query', { post_logout_redirect_uri: withQuery, state: 'x' }, `${withQuery}&state=x`],
    ['its own query, without a state', { post_logout_redirect_uri: withQuery }, withQuery],
    ['no state', { post_logout_redirect_uri: returnTo }, returnTo],
  ])('returns to an address with %s', async (_title, parameters, expected) => {
    const { browser, session } = await signInAt(testApp, [site]);
    const page = await browser.get(address({ id_token_hint: await tokenFor(session), ...parameters }));
    expect(page.url).toBe(expected);
  });

  test('works by POST, whose first request has no cookies of ours', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    const fields = { id_token_hint: await tokenFor(session), post_logout_redirect_uri: returnTo, state: 's' };
    const crossSite = await browser.post(path, fields, { cookie: '' });
    expect(textOf(crossSite.html)).toContain('Continue');
    expect(await isLive(session)).toBe(true);
    expect((await browser.submit(crossSite)).url).toBe(`${returnTo}?state=s`);
    expect(await isLive(session)).toBe(false);
  });

  test('accepts a token that has expired, and one of a retired key', async () => {
    for (const isRetired of [false, true]) {
      const { browser, session } = await signInAt(testApp, [site]);
      const id_token_hint = await tokenFor(session, { exp: 1 });
      const northId = (await networkNamed(testApp.db, 'northlab')).id;
      if (isRetired)
        await testApp.db.update(oidcKeys).set({ state: 'retired' }).where(eq(oidcKeys.network_id, northId));
      expect(isSignedOutPage(await browser.get(address({ id_token_hint })))).toBe(true);
      expect(await isLive(session)).toBe(false);
    }
  });

  test('names the client a second time or not at all', async () => {
    const first = await signInAt(testApp, [site]);
    const named = { id_token_hint: await tokenFor(first.session), client_id: site.identity };
    expect((await first.browser.get(address({ ...named, post_logout_redirect_uri: returnTo }))).url).toBe(returnTo);
    // A contradiction proves nothing, and leads nowhere.
    const second = await signInAt(testApp, [site, other]);
    const contradiction = { id_token_hint: await tokenFor(second.session), client_id: other.identity };
    for (const uri of [returnTo, 'https://other.northlab.org/bye']) {
      const page = await second.browser.get(address({ ...contradiction, post_logout_redirect_uri: uri }));
      expect(isQuestion(page)).toBe(true);
      expect(page.form?.fields).not.toHaveProperty('post_logout_redirect_uri');
    }
    expect(await isLive(second.session)).toBe(true);
  });
});

describe('a logout by an application that uses openid-client', () => {
  const signOutUrl = ({ configuration, site: { oidc: parameters } }: RelyingParty, id_token_hint: string) =>
    oidc.buildEndSessionUrl(configuration, {
      id_token_hint,
      post_logout_redirect_uri: parameters?.post_logout_uris[0] ?? '',
      state: 's',
    });

  test('ends the session that it has signed in with, and its tokens', async () => {
    const party = await RelyingParty.of(testApp);
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const tokens = await party.signIn(browser, { email: user.email, password });
    const url = signOutUrl(party, tokens.id_token ?? '');
    expect((await browser.get(url.href)).url).toBe(`${party.site.oidc?.post_logout_uris[0]}?state=s`);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    await expect(oidc.fetchUserInfo(party.configuration, tokens.access_token, user.uid)).rejects.toThrow();
  });

  test('asks if the ID token is of a session that has ended', async () => {
    const party = await RelyingParty.of(testApp);
    const user = await makeUser(testApp.db);
    const former = await party.signIn(testApp.browser(), { email: user.email, password });
    const browser = testApp.browser();
    await party.signIn(browser, { email: user.email, password });
    expect(isQuestion(await browser.get(signOutUrl(party, former.id_token ?? '').href))).toBe(true);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(2);
  });
});

describe('a logout without that ID token', () => {
  test('asks the person, and ends the session after the confirmation', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    const parameters = { client_id: site.identity, post_logout_redirect_uri: returnTo, state: 's' };
    const page = await browser.get(address(parameters));
    expect(isQuestion(page)).toBe(true);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(await isLive(session)).toBe(true);
    const end = await browser.submit(page);
    expect(await isLive(session)).toBe(false);
    expect(end.url).toBe(`${returnTo}?state=s`);
  });

  test('needs the CSRF token of the very session', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    const { form } = await browser.get(path);
    const stranger = await signInAt(testApp, [site]);
    const strange = await stranger.browser.get(path);
    for (const csrf of ['', 'x', strange.form?.fields['csrf'] ?? '']) {
      expect(isQuestion(await browser.post(form?.action ?? '', { ...form?.fields, csrf }))).toBe(true);
      expect(await isLive(session)).toBe(true);
    }
    // An ID token does not replace it there.
    const id_token_hint = await tokenFor(session);
    expect(isQuestion(await browser.post(`${path}/confirm`, { id_token_hint }))).toBe(true);
    expect(await isLive(session)).toBe(true);
  });

  test('is never done by an image, a link or a form of another site', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    const crossSite = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.org' };
    const attempts: (() => Promise<Page>)[] = [
      () => browser.get(path, { ...crossSite, 'sec-fetch-dest': 'image' }),
      () => browser.get(address({ client_id: site.identity }), { ...crossSite, 'sec-fetch-dest': 'document' }),
      () => browser.get(address({ logout_hint: 'ana', ui_locales: 'de', client_id: other.identity }), crossSite),
      () => browser.post(path, { client_id: site.identity }, crossSite),
      () => browser.post(path, { resubmitted: 'yes' }, crossSite),
      () => browser.post(`${path}/confirm`, { client_id: site.identity }, crossSite),
      () => browser.post(`${path}/confirm`, {}, { ...crossSite, cookie: '' }),
    ];
    for (const attempt of attempts) {
      const page = await attempt();
      expect(page.status).toBe(200);
      expect(await isLive(session)).toBe(true);
      expect(browser.cookies.has('opensocial_identity')).toBe(true);
    }
  });

  test('in a browser without a session returns at once, or ends on our page', async () => {
    const browser = testApp.browser();
    expect(isSignedOutPage(await browser.get(path))).toBe(true);
    expect((await browser.get(address({ client_id: site.identity, post_logout_redirect_uri: returnTo }))).url).toBe(
      returnTo,
    );
    const { browser: ended, session } = await signInAt(testApp, [site]);
    await testApp.db.delete(identitySessions).where(eq(identitySessions.id, session.id));
    expect(isSignedOutPage(await ended.get(path))).toBe(true);
    expect(ended.cookies.has('opensocial_identity')).toBe(false);
  });

  test('refuses a network that does not exist, and parameters that are given twice', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    expect((await browser.get('/oidc/nowhere/logout')).status).toBeGreaterThanOrEqual(400);
    expect((await browser.get(`${path}?client_id=a&client_id=b`)).status).toBe(400);
    expect(await isLive(session)).toBe(true);
  });
});

describe('a forged or foreign ID token', () => {
  type Forge = (session: Session) => Promise<string> | string;
  const sign = (claims: Record<string, unknown>, key: Parameters<SignJWT['sign']>[0], alg: string, kid: string) =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  const currentKey = async () => oidcKeyFor(testApp.parts, site.network_id, 'RS256');

  const forgeries: [string, Forge][] = [
    ['without a signature', (session) => new UnsecuredJWT(idTokenClaims(testApp, site, session)).encode()],
    [
      'without a signature, with the header of a good one',
      async (session) => `${(await tokenFor(session)).split('.').slice(0, 2).join('.')}.`,
    ],
    ...(['spki pem', 'spki der', 'jwk'] as const).map((form): [string, Forge] => [
      `with HS256 and the public key as ${form}`,
      async (session) => {
        const { kid, privateKey } = await currentKey();
        const key = createPublicKey(privateKey);
        const secrets = {
          'spki pem': () => Buffer.from(key.export({ type: 'spki', format: 'pem' })),
          'spki der': () => key.export({ type: 'spki', format: 'der' }),
          jwk: () => Buffer.from(JSON.stringify(key.export({ format: 'jwk' }))),
        };
        return sign(idTokenClaims(testApp, site, session), secrets[form](), 'HS256', kid);
      },
    ]),
    [
      'with a key of its own under our key id',
      async (session) =>
        sign(
          idTokenClaims(testApp, site, session),
          generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
          'RS256',
          (await currentKey()).kid,
        ),
    ],
    [
      'with a key of its own in the header',
      async (session) => {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
        const { kid } = await currentKey();
        return new SignJWT(idTokenClaims(testApp, site, session))
          .setProtectedHeader({ alg: 'RS256', kid, jwk: publicKey.export({ format: 'jwk' }) })
          .sign(privateKey);
      },
    ],
    [
      'with the key of another network',
      async (session) => {
        const { kid, privateKey } = await oidcKeyFor(testApp.parts, foreign.network_id, 'RS256');
        return sign(idTokenClaims(testApp, site, session), privateKey, 'RS256', kid);
      },
    ],
    [
      'of another network for its own client',
      (session) => signIdToken(testApp, foreign, idTokenClaims(testApp, foreign, session, 'southlab')),
    ],
    [
      'of another network that names this one',
      (session) => signIdToken(testApp, foreign, { ...idTokenClaims(testApp, site, session), sid: 'x' }),
    ],
    [
      'that another network has issued, signed here',
      (session) => tokenFor(session, { iss: 'https://evil.example.org' }),
    ],
    [
      'of another client, with the session id of this one',
      (session) =>
        signIdToken(testApp, other, {
          ...idTokenClaims(testApp, other, session),
          sid: sidOf(testApp.parts, session.session_index, site.identity),
        }),
    ],
    ['for a client that does not exist', (session) => tokenFor(session, { aud: 'nobody' })],
    ['for several clients', (session) => tokenFor(session, { aud: [site.identity, other.identity] })],
    ['without a session id', (session) => tokenFor(session, { sid: undefined })],
    ['with the index of the session', (session) => tokenFor(session, { sid: session.session_index })],
    [
      'of another session of the person',
      (session) => tokenFor(session, { sid: sidOf(testApp.parts, '_another', site.identity) }),
    ],
    [
      'that is a logout token',
      (session) =>
        signIdToken(
          testApp,
          site,
          {
            ...idTokenClaims(testApp, site, session),
            events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
          },
          { typ: 'logout+jwt' },
        ),
    ],
    [
      'with the type of a logout token',
      (session) => signIdToken(testApp, site, idTokenClaims(testApp, site, session), { typ: 'logout+jwt' }),
    ],
    [
      'whose claims were changed',
      async (session) => {
        const [header, , signature] = (await tokenFor(session, { sid: 'x' })).split('.');
        const claims = Buffer.from(JSON.stringify(idTokenClaims(testApp, site, session))).toString('base64url');
        return `${header}.${claims}.${signature}`;
      },
    ],
    ['that is no token', () => 'not.a.token'],
    ['that is empty', () => ''],
    ['that is not text', () => '\u0001\ud83d\ude00..'],
  ];

  test.each(forgeries)('%s ends nothing', async (_title, forge) => {
    const { browser, session } = await signInAt(testApp, [site, other]);
    const page = await browser.get(
      address({ id_token_hint: await forge(session), post_logout_redirect_uri: returnTo }),
    );
    expect(isQuestion(page)).toBe(true);
    expect(await isLive(session)).toBe(true);
  });

  test('of another person ends nothing', async () => {
    const [victim, attacker] = [await signInAt(testApp, [site]), await signInAt(testApp, [site])];
    const id_token_hint = await tokenFor(attacker.session);
    expect(isQuestion(await victim.browser.get(address({ id_token_hint })))).toBe(true);
    expect([await isLive(victim.session), await isLive(attacker.session)]).toEqual([true, true]);
  });

  test('of a key that was removed ends nothing', async () => {
    const { browser, session } = await signInAt(testApp, [site]);
    const id_token_hint = await tokenFor(session);
    await testApp.db.delete(oidcKeys).where(eq(oidcKeys.network_id, site.network_id));
    expect(isQuestion(await browser.get(address({ id_token_hint })))).toBe(true);
    expect(await isLive(session)).toBe(true);
    expect((await loadKeys(testApp.parts, site.network_id)).length).toBe(2);
  });
});

describe('the address to return to', () => {
  const refused = [
    'https://evil.example.org/',
    'https://app.northlab.org/bye/',
    'https://app.northlab.org/bye?x=1',
    'https://app.northlab.org/bye#x',
    'https://app.northlab.org/Bye',
    'https://APP.northlab.org/bye',
    'https://app.northlab.org:443/bye',
    'https://app.northlab.org/x/../bye',
    'https://app.northlab.org/bye%00',
    'https://app.northlab.org/byebye',
    'https://app.northlab.org/',
    'https://app.northlab.org',
    'https://app.northlab.org@evil.example.org/bye',
    'https://evil.example.org\\@app.northlab.org/bye',
    ' https://app.northlab.org/bye',
    'https://app.northlab.org/bye ',
    'https://app.northlab.org/bye\r\nset-cookie: x=1',
    'http://app.northlab.org/bye',
    '//app.northlab.org/bye',
    '/bye',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.northlab.org/callback',
    'https://other.northlab.org/bye',
    'https://foreign.southlab.org/bye',
    '',
  ];
  const staysHere = ({ status, html, headers }: Page, uri: string) => {
    expect(status).toBe(200);
    expect(headers['location']).toBeUndefined();
    if (uri.length > 2) expect(html).not.toContain(uri);
  };

  test.each(refused)('%j is not followed', async (uri) => {
    const named = { client_id: site.identity, post_logout_redirect_uri: uri, state: 'secret-state' };
    staysHere(await testApp.browser().get(address(named)), uri);
    const { browser, session } = await signInAt(testApp, [site]);
    const asked = await browser.get(address(named));
    staysHere(asked, uri);
    expect(asked.html).not.toContain('secret-state');
    const hint = { id_token_hint: await tokenFor(session), post_logout_redirect_uri: uri };
    const end = await browser.get(address(hint));
    staysHere(end, uri);
    expect(isSignedOutPage(end)).toBe(true);
  });

  test('is not followed without a client, or with the client of another network', async () => {
    const unnamed: Record<string, string>[] = [
      { post_logout_redirect_uri: returnTo },
      { post_logout_redirect_uri: returnTo, client_id: 'nobody' },
      { post_logout_redirect_uri: 'https://foreign.southlab.org/bye', client_id: foreign.identity },
    ];
    for (const parameters of unnamed) {
      expect(isSignedOutPage(await testApp.browser().get(address(parameters)))).toBe(true);
    }
  });

  test('is checked again when the person confirms', async () => {
    const { browser } = await signInAt(testApp, [site]);
    const page = await browser.get(address({ client_id: site.identity, post_logout_redirect_uri: returnTo }));
    const changed = { ...page.form?.fields, post_logout_redirect_uri: 'https://evil.example.org/' };
    expect(isSignedOutPage(await browser.post(page.form?.action ?? '', changed))).toBe(true);
  });
});
