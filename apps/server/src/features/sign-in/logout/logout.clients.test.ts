import { createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { changeUser, endUserSessions, type OidcParameters } from '@opensocial/contract';
import { parseLogoutResponse, readRedirect } from '@opensocial/saml';
import { eq, sql } from 'drizzle-orm';
import { decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessionSites, identitySessions, logoutSites, type sites } from '../../../database/schema.ts';
import { type JobWorker, startWorker } from '../../../jobs/worker.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password, signInto } from '../../../testing/app/builders.ts';
import { framesOf, type GivenPage, type GivenRequest, responseTo } from '../../../testing/app/logout-site.ts';
import { idTokenClaims, makeClient, signIdToken, signInAt } from '../../../testing/app/oidc-site.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { eventually } from '../../../testing/machine/eventually.ts';
import { deleteStaleSignIns } from '../flow/cleanup.queries.ts';
import { loadKeys } from '../oidc/keys.ts';
import { sidOf } from '../oidc/sid.ts';
import { framedPageOf } from './front-channel.ts';
import { informSiteTask } from './logout.jobs.ts';

type Site = typeof sites.$inferSelect;

/** The server of the applications, which records the messages. */
const heard: { path: string; type: string | undefined; method: string | undefined; token: string }[] = [];
let status = 200;
const listener = createServer(async (request, response) => {
  const token = new URLSearchParams(await text(request)).get('logout_token') ?? '';
  heard.push({ path: request.url ?? '', type: request.headers['content-type'], method: request.method, token });
  response.writeHead(status, { location: '/elsewhere' }).end();
});
const backChannel = () => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/logout?app=1`;

let testApp: TestApp;
let worker: JobWorker;
beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
  const { pool, parts } = testApp;
  worker = await startWorker(pool, {
    tasks: { inform_site: informSiteTask(parts), send_mail: async () => undefined },
    sweep: async () => undefined,
    log: parts.log,
  });
});
afterAll(async () => {
  await worker.stop();
  listener.close();
});
beforeEach(() => {
  heard.length = 0;
  status = 200;
});

const signOut = (browser: Browser) => browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
const withBackChannel = (oidc: Partial<OidcParameters> = {}, draft: Parameters<typeof makeClient>[2] = {}) =>
  makeClient(testApp.db, { backchannel_logout_uri: backChannel(), ...oidc }, { site_name: 'Wiki', ...draft });
const untilHeard = (count: number) => eventually(() => expect(heard).toHaveLength(count));
const stillSignedIn = ({ html }: Page): string[] =>
  [...html.matchAll(/<li><bdi>([^<]*)<\/bdi>/g)].map(([, name = '']) => name);
const runQueue = async () => {
  await testApp.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await testApp.db.execute(sql`select pg_notify('jobs:insert', '{"r":1,"count":1}')`);
};
/** A job that is running may fail and be postponed after the last call, so they are all made due again each time. */
const untilQueueEmpty = () =>
  eventually(async () => {
    await runQueue();
    expect((await testApp.db.execute(sql`select 1 from graphile_worker._private_jobs`)).rows).toEqual([]);
  }, 200);

/** Verifies a logout token as an application does. */
const verify = async (token: string, site: Site, network = 'northlab') => {
  const keys = await loadKeys(testApp.parts, site.network_id);
  return jwtVerify(
    token,
    ({ kid }) => {
      const key = keys.find((each) => each.kid === kid);
      if (!key) throw new Error('The key is not published.');
      return createPublicKey(key.privateKey);
    },
    { issuer: `${testOrigin}/oidc/${network}`, audience: site.identity, typ: 'logout+jwt' },
  );
};

describe('§11 a site with a back channel of OpenID Connect', () => {
  test.each(['RS256', 'ES256'] as const)('gets a logout token with %s', async (algorithm) => {
    const site = await withBackChannel({ algorithm });
    const { browser, session, user } = await signInAt(testApp, [site]);
    const page = await signOut(browser);
    expect(textOf(page.html)).toContain('You are signed out');
    expect(stillSignedIn(page)).toEqual([]);
    expect(heard).toMatchObject([{ path: '/logout?app=1', method: 'POST', type: 'application/x-www-form-urlencoded' }]);
    const { payload, protectedHeader } = await verify(heard[0]?.token ?? '', site);
    expect(protectedHeader).toMatchObject({ alg: algorithm, typ: 'logout+jwt' });
    expect(payload).toEqual({
      iss: `${testOrigin}/oidc/northlab`,
      aud: site.identity,
      sub: user.uid,
      sid: sidOf(testApp.parts, session.session_index, site.identity),
      iat: expect.any(Number),
      exp: (payload.iat ?? 0) + 120,
      jti: expect.stringMatching(/^[\w-]{36}$/),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
  });

  test.each([
    [204, true],
    [302, false],
    [400, false],
    [501, false],
  ])('that answers %i is informed: %s', async (answer, isInformed) => {
    status = answer;
    const site = await withBackChannel();
    const { browser } = await signInAt(testApp, [site]);
    const shown = textOf((await signOut(browser)).html);
    expect(shown.includes('Wiki (we will try again in the next few minutes)')).toBe(!isInformed);
    expect(heard).toHaveLength(1);
    status = 200;
    await runQueue();
    await untilQueueEmpty();
    expect(heard).toHaveLength(isInformed ? 1 : 2);
    // Each message has an id of its own, because applications refuse one that they have seen.
    expect(new Set(heard.map(({ token }) => decodeJwt(token).jti)).size).toBe(heard.length);
    const rows = await testApp.db.select().from(logoutSites).where(eq(logoutSites.site_id, site.id));
    expect(rows).toMatchObject([{ is_informed: true }]);
  });

  test('is not framed, although it has a page for frames too', async () => {
    const site = await withBackChannel({ frontchannel_logout_uri: 'https://wiki.northlab.org/out' });
    const { browser } = await signInAt(testApp, [site]);
    expect(textOf((await signOut(browser)).html)).toContain('You are signed out');
    expect(heard).toHaveLength(1);
  });

  test('is told of the logout that it has begun, and one without a channel is not named then', async () => {
    const silent = await makeClient(testApp.db, {}, { site_name: 'Silent' });
    for (const site of [await withBackChannel(), silent]) {
      heard.length = 0;
      const { browser, session } = await signInAt(testApp, [site]);
      const hint = await signIdToken(testApp, site, idTokenClaims(testApp, site, session));
      expect(stillSignedIn(await browser.get(`/oidc/northlab/logout?id_token_hint=${hint}`))).toEqual([]);
      expect(heard).toHaveLength(site === silent ? 0 : 1);
    }
  });

  test('is told of a logout that a SAML site has begun, whose response says whether all were', async () => {
    const site = await withBackChannel();
    const { browser, session, user } = await signInAt(testApp, [site]);
    for (const answer of [200, 500]) {
      status = answer;
      heard.length = 0;
      const provider = await ServiceProvider.of(testApp, await makeSite(testApp.db));
      const other = answer === 200 ? { browser, user, session } : await signInAt(testApp, [site]);
      const profile = await provider.receive(await other.browser.get(await provider.signInUrl()));
      const end = await other.browser.get(await provider.signOutUrl(profile));
      expect(parseLogoutResponse(readRedirect(new URL(end.url).search).xml).partial).toBe(answer === 500);
      expect(heard.map(({ token }) => decodeJwt(token).sub)).toEqual([other.user.uid]);
    }
    status = 200;
    await runQueue();
    await untilQueueEmpty();
  });

  test('in a private network gets nothing by default', async () => {
    const guarded = await buildTestApp();
    const site = await makeClient(guarded.db, { backchannel_logout_uri: backChannel() }, { site_name: 'Inside' });
    const { browser } = await signInAt(guarded, [site]);
    expect(stillSignedIn(await signOut(browser))).toEqual(['Inside']);
    expect(heard).toEqual([]);
  });

  test('is told if the person is disabled, an owner ends the sessions in its network, or the session expires', async () => {
    const owner = testApp.as(
      await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })),
    );
    const site = await withBackChannel();
    const elsewhere = await withBackChannel({}, { network: 'southlab' });
    const disabled = await signInAt(testApp, [site]);
    await owner(changeUser, { params: { userId: disabled.user.id, mode: 'Disable', serverName: 'northlab' } });
    await untilHeard(1);
    const ended = await signInAt(testApp, [site, elsewhere], { alsoIn: ['southlab'] });
    const server_id = (await networkNamed(testApp.db, 'northlab')).id;
    await owner(endUserSessions, { body: { user_id: ended.user.id, server_id } });
    await untilHeard(2);
    const expired = await signInAt(testApp, [elsewhere], { alsoIn: ['southlab'] });
    await testApp.db
      .update(identitySessions)
      .set({ authenticated_at: sql`now() - interval '400 days'` })
      .where(eq(identitySessions.id, expired.session.id));
    await deleteStaleSignIns(testApp.parts);
    await untilHeard(3);
    await untilQueueEmpty();
    const sessions = [
      { ...disabled, at: site, network: 'northlab' },
      { ...ended, at: site, network: 'northlab' },
      { ...expired, at: elsewhere, network: 'southlab' },
    ];
    for (const [place, { user, session, at, network }] of sessions.entries()) {
      const { payload } = await verify(heard[place]?.token ?? '', at, network);
      expect(payload).toMatchObject({ sub: user.uid, sid: sidOf(testApp.parts, session.session_index, at.identity) });
    }
  });
});

const pageAddress = 'https://wiki.northlab.org/out';

describe('a site whose page is loaded in a frame', () => {
  const withPage = (name: string, frontchannel_logout_uri = pageAddress) =>
    makeClient(testApp.db, { frontchannel_logout_uri }, { site_name: name });
  const requestsOf = (html: string) => framesOf<GivenRequest | GivenPage>(html);
  const pageOf = (frames: Map<string, GivenRequest | GivenPage>, name: string) => {
    const request = frames.get(name);
    if (!request || !('page' in request)) throw new Error(`${name} has no page.`);
    return request;
  };

  test('gets issuer and session in its address, and counts as told after the frame has loaded it', async () => {
    const drafts = { Wiki: pageAddress, Blog: 'https://blog.northlab.org/out;x,y?keep=%20a&b' };
    const visited: Site[] = [];
    for (const [name, uri] of Object.entries(drafts)) visited.push(await withPage(name, uri));
    const [wiki, blog] = visited;
    const { browser, session } = await signInAt(testApp, visited);
    const page = await signOut(browser);
    expect(textOf(page.html)).toMatch(/Signing you out….*Blog.*Wiki.*Continue/);
    const issuer = encodeURIComponent(`${testOrigin}/oidc/northlab`);
    const sid = (site: Site | undefined) => sidOf(testApp.parts, session.session_index, site?.identity ?? '');
    const frames = requestsOf(page.html);
    expect(pageOf(frames, 'Wiki').page).toBe(`${pageAddress}?iss=${issuer}&sid=${sid(wiki)}`);
    expect(pageOf(frames, 'Blog').page).toBe(`${drafts.Blog}&iss=${issuer}&sid=${sid(blog)}`);
    expect(page.headers['content-security-policy']).toMatch(
      /frame-src https:\/\/blog\.northlab\.org\/out%3Bx%2Cy https:\/\/wiki\.northlab\.org\/out$/,
    );
    const end = await browser.submit(page, { framed: 'yes', loaded: `${pageOf(frames, 'Wiki').id}` });
    expect(stillSignedIn(end)).toEqual(['Blog']);
    expect(end.html).not.toContain('try again');
  });

  test('is loaded again by a page that was reloaded, and is not told without scripts', async () => {
    const { browser } = await signInAt(testApp, [await withPage('Wiki')]);
    const page = await signOut(browser);
    const reloaded = await browser.get(page.url);
    expect([...requestsOf(reloaded.html).keys()]).toEqual(['Wiki']);
    const { id } = pageOf(requestsOf(reloaded.html), 'Wiki');
    expect(stillSignedIn(await browser.submit(reloaded, { framed: '', loaded: `${id}` }))).toEqual(['Wiki']);
  });

  test('is beside SAML sites, whose outcome the browser cannot claim', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const saml: Site[] = [];
    for (const site_name of ['Answering', 'Claimed']) {
      const site = await makeSite(testApp.db, { site_name });
      saml.push(site);
      const provider = await ServiceProvider.of(testApp, site);
      const first = await browser.get(await provider.signInUrl());
      await provider.receive(
        first.form?.fields['SAMLResponse'] ? first : await browser.submit(first, { email: user.email, password }),
      );
    }
    const wiki = await withPage('Wiki');
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    const participant = { session_id: session?.id ?? 0, name_id: user.uid, name_id_format: 'oidc' };
    await testApp.db.insert(identitySessionSites).values({ ...participant, site_id: wiki.id });
    const page = await signOut(browser);
    expect(page.headers['content-security-policy']).toMatch(/frame-src 'self' https: http:$/);
    const frames = requestsOf(page.html);
    expect([...frames.keys()]).toEqual(['Answering', 'Claimed', 'Wiki']);
    const answer = responseTo(frames.get('Answering') as GivenRequest, saml[0] as Site);
    await testApp.browser().get(answer, { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' });
    const rows = await testApp.db.select().from(logoutSites);
    const end = await browser.submit(page, { framed: 'yes', loaded: rows.map(({ id }) => id).join(' ') });
    expect(stillSignedIn(end)).toEqual(['Claimed']);
  });

  test('cannot be claimed for the logout of somebody else', async () => {
    const wiki = await withPage('Wiki');
    const [one, two] = [await signInAt(testApp, [wiki]), await signInAt(testApp, [wiki])];
    const [first, second] = [await signOut(one.browser), await signOut(two.browser)];
    const { id } = pageOf(requestsOf(second.html), 'Wiki');
    expect(
      stillSignedIn(await one.browser.submit(first, { framed: 'yes', loaded: `${id} x -1 99999999999999` })),
    ).toEqual(['Wiki']);
    expect(stillSignedIn(await two.browser.submit(second, { framed: 'yes', loaded: '' }))).toEqual(['Wiki']);
  });

  test('is told before the browser returns to the site that began the logout', async () => {
    const returnTo = 'https://app.northlab.org/bye';
    const app = await makeClient(testApp.db, { post_logout_uris: [returnTo] }, { site_name: 'App' });
    const { browser, session } = await signInAt(testApp, [app, await withPage('Wiki')]);
    const hint = await signIdToken(testApp, app, idTokenClaims(testApp, app, session));
    const parameters = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: returnTo, state: 's' });
    const page = await browser.get(`/oidc/northlab/logout?${parameters}`);
    expect([...requestsOf(page.html).keys()]).toEqual(['Wiki']);
    const { id } = pageOf(requestsOf(page.html), 'Wiki');
    const end = await browser.submit(page, { framed: 'yes', loaded: `${id}` });
    expect([end.status, end.url]).toEqual([303, `${returnTo}?state=s`]);
  });

  test('without a channel is named as still signed in', async () => {
    const drafts = [
      await makeClient(testApp.db, {}, { site_name: 'Absent' }),
      await withPage('Own', `${testOrigin}/server/saml/logout`),
    ];
    const { browser } = await signInAt(testApp, drafts);
    expect(stillSignedIn(await signOut(browser))).toEqual(['Absent', 'Own']);
  });

  test('another browser that brings the logout learns nothing', async () => {
    const provider = await ServiceProvider.of(testApp, await makeSite(testApp.db, { sls: null }));
    const { browser } = await signInAt(testApp, [await withPage('Private')]);
    const profile = await provider.receive(await browser.get(await provider.signInUrl()));
    const page = await testApp.browser().get(await provider.signOutUrl(profile));
    expect(page.html).not.toMatch(/Private|wiki/);
  });

  test.each([
    ['https://sso.example.org', 'https://wiki.example.org/out', true],
    ['https://sso.example.org', 'http://wiki.example.org/out', false],
    ['https://sso.example.org', 'http://127.0.0.1:3000/out', true],
    ['https://sso.example.org', 'https://[2001:db8::1]/out', false],
    ['https://sso.example.org', 'https://sso.example.org/server/saml/logout', false],
    ['https://sso.example.org', '', false],
  ])('a page of %s can load %s: %s', async (publicUrl, frontchannel_logout_uri, expected) => {
    const { oidc } = await makeClient(testApp.db, { frontchannel_logout_uri });
    const page = framedPageOf({ publicUrl, isHttps: true }, { oidc });
    expect(page).toBe(expected ? frontchannel_logout_uri : undefined);
  });
});
