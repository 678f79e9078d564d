import { createPrivateKey } from 'node:crypto';
import {
  buildLogoutRequest,
  newSamlId,
  parseLogoutResponse,
  postForm,
  readPost,
  readRedirect,
  verifyMessage,
} from '@opensocial/saml';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { identitySessions, logoutSites, sites } from '../../../database/schema.ts';
import { makeSigningKey } from '../../../secrets/signing-keys.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import {
  framesOf,
  type GivenRequest,
  readGiven,
  responseFields,
  responseTo,
} from '../../../testing/app/logout-site.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { runWhileLocked } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { findCertificates } from '../../networks/networks.queries.ts';
import { isFrameable } from './front-channel.ts';

type Site = typeof sites.$inferSelect;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const ownPage = { 'sec-fetch-site': 'same-origin' };
const inFrame = { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe' };
const inForeignFrame = { ...inFrame, 'sec-fetch-site': 'cross-site' };

const enter = async (browser: Browser, site: Site, email: string) => {
  const provider = await ServiceProvider.of(testApp, site);
  const page = await browser.get(await provider.signInUrl());
  const profile = await provider.receive(
    page.form?.fields['SAMLResponse'] ? page : await browser.submit(page, { email, password }),
  );
  return { provider, profile };
};

/** Signs a person in to sites, and begins a logout here, up to the page with the frames. */
const begin = async (drafts: Record<string, Partial<Site>>) => {
  const user = await makeUser(testApp.db);
  const browser = testApp.browser();
  const made = new Map<string, Site>();
  for (const [name, draft] of Object.entries(drafts)) {
    const site = await makeSite(testApp.db, { site_name: name, ...draft });
    made.set(name, site);
    await enter(browser, site, user.email);
  }
  const page = await browser.get('/server/saml/logout', ownPage);
  const frames = framesOf(page.html);
  const siteOf = (name: string) => made.get(name) as Site;
  const requestOf = (name: string) => frames.get(name) as GivenRequest;
  return { user, browser, page, frames, siteOf, requestOf };
};

/** The answer of a site in a frame, which has none of our cookies. */
const answerInFrame = (url: string, headers: Record<string, string> = inFrame) => testApp.browser().get(url, headers);
const outcomeOf = (page: Page) => /<html[^>]* data-outcome="(\w+)"/.exec(page.html)?.[1];
const continueWithFrames = (browser: Browser, page: Page) => browser.submit(page, { framed: 'yes' });
const stillSignedIn = ({ html }: Page): string[] =>
  [...html.matchAll(/<li><bdi>([^<]*)<\/bdi><\/li>/g)].map(([, name = '']) => name);

describe('single logout in frames', () => {
  test('shows a page with a request for each site, which only our own page may frame', async () => {
    const { page, frames, siteOf, requestOf, user } = await begin({ Wiki: {}, Tracker: { sls_binding: 'post' } });
    expect(page.status).toBe(200);
    expect(textOf(page.html)).toMatch(/Signing you out….*Tracker.*Wiki.*Continue/);
    const policy = page.headers['content-security-policy'] ?? '';
    expect(policy).toMatch(
      /frame-ancestors 'none'.*script-src http:\/\/localhost:8080\/signin\/.*\.js; frame-src 'self' https: http:$/,
    );
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect([...frames.keys()].toSorted()).toEqual(['Tracker', 'Wiki']);
    const certificates = await findCertificates(testApp.db, (await networkNamed(testApp.db, 'northlab')).id);
    for (const name of ['Wiki', 'Tracker']) {
      const message = readGiven(requestOf(name));
      expect(message.binding).toBe(name === 'Tracker' ? 'post' : 'redirect');
      expect(message.request).toMatchObject({ nameId: user.email, destination: siteOf(name).sls });
      expect(() => verifyMessage(message, certificates)).not.toThrow();
      expect(message.relayState).toMatch(/^[\w-]{43}$/);
    }
    expect(readGiven(requestOf('Wiki')).relayState).not.toBe(readGiven(requestOf('Tracker')).relayState);
    const framed = await answerInFrame(responseTo(requestOf('Wiki'), siteOf('Wiki')));
    expect(framed.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(framed.headers['content-security-policy']).toContain("default-src 'none'");
    expect(framed.headers['set-cookie']).toBeUndefined();
    expect(framed.html).not.toContain('Tracker');
    expect(framed.html.length).toBeLessThan(200);
  });

  test('records answers that arrive at the same time, without cookies', async () => {
    const names = Array.from({ length: 5 }, (_, place) => `Site ${place}`);
    const { browser, page, siteOf, requestOf } = await begin(Object.fromEntries(names.map((name) => [name, {}])));
    const answers = await Promise.all(names.map((name) => answerInFrame(responseTo(requestOf(name), siteOf(name)))));
    expect(answers.map(outcomeOf)).toEqual(names.map(() => 'informed'));
    const end = await continueWithFrames(browser, page);
    expect(textOf(end.html)).toContain('You are signed out');
    expect(stillSignedIn(end)).toEqual([]);
    expect([...browser.cookies.keys()].filter((name) => name.includes('logout'))).toEqual([]);
  });

  test('names exactly the sites that did not answer or refused', async () => {
    const { browser, page, siteOf, requestOf } = await begin({
      Good: {},
      Silent: {},
      Refusing: {},
      Absent: { sls: null },
    });
    await answerInFrame(responseTo(requestOf('Good'), siteOf('Good')));
    const refused = await answerInFrame(responseTo(requestOf('Refusing'), siteOf('Refusing'), { status: 'Responder' }));
    expect(outcomeOf(refused)).toBe('failed');
    expect(stillSignedIn(await continueWithFrames(browser, page))).toEqual(['Absent', 'Refusing', 'Silent']);
  });

  test('visits a site after it has answered in a cross-site frame, with a new request', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Far: {}, Cookieless: {}, Near: {}, Silent: {} });
    const far = responseTo(requestOf('Far'), siteOf('Far'));
    expect(outcomeOf(await answerInFrame(far, inForeignFrame))).toBe('informed');
    // The site may not have found its session, because the browser withheld its cookies.
    const cookieless = responseTo(requestOf('Cookieless'), siteOf('Cookieless'), { status: 'UnknownPrincipal' });
    expect(outcomeOf(await answerInFrame(cookieless, inForeignFrame))).toBe('pending');
    await answerInFrame(responseTo(requestOf('Near'), siteOf('Near')));
    let visit = await continueWithFrames(browser, page);
    const visited: string[] = [];
    while (visit.status === 303) {
      const name =
        ['Far', 'Cookieless', 'Near', 'Silent'].find((each) => visit.url.startsWith(String(siteOf(each).sls))) ?? '';
      visited.push(name);
      const given = { redirect: visit.url };
      expect(readGiven(given).request.id).not.toBe(readGiven(requestOf(name)).request.id);
      // The answer to the request of the frame does not count any more.
      expect((await answerInFrame(responseTo(requestOf(name), siteOf(name)))).status).toBe(400);
      const status = name === 'Far' ? 'Responder' : 'Success';
      visit = await browser.get(responseTo(given, siteOf(name), { status }));
    }
    expect(visited.toSorted()).toEqual(['Cookieless', 'Far']);
    expect(stillSignedIn(visit)).toEqual(['Silent']);
  });

  test('without the header about the site of the frame, the browser visits the site too', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Wiki: {} });
    await answerInFrame(responseTo(requestOf('Wiki'), siteOf('Wiki')), {});
    expect((await continueWithFrames(browser, page)).url).toContain(siteOf('Wiki').sls);
  });

  test('ignores a forged RelayState, and an answer for another site', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Hostile: {}, Victim: {} });
    const [hostile, victim] = [requestOf('Hostile'), requestOf('Victim')];
    for (const relayState of ['', 'x', readGiven(hostile).relayState.slice(0, -1), '1']) {
      const forged = await answerInFrame(responseTo(victim, siteOf('Victim'), { relayState }));
      expect([forged.status, outcomeOf(forged)]).toEqual([400, undefined]);
    }
    const own = readGiven(hostile).relayState;
    const answers = [
      // An answer for the victim with the RelayState of the hostile site changes nothing at the victim.
      responseTo(victim, siteOf('Victim'), { relayState: own }),
      // Even with the victim's RelayState, the answer must be that of the victim to its own request.
      responseTo(victim, siteOf('Hostile')),
      responseTo(victim, siteOf('Victim'), { inResponseTo: readGiven(hostile).request.id }),
      responseTo(victim, siteOf('Victim'), { destination: `${testOrigin}/saml/southlab/slo` }),
      responseTo(victim, siteOf('Victim')).replace('/northlab/', '/southlab/'),
    ];
    for (const url of answers) expect(outcomeOf(await answerInFrame(url))).toBe('failed');
    expect(stillSignedIn(await continueWithFrames(browser, page))).toEqual(['Hostile', 'Victim']);
  });

  test('needs the signature of a site with a certificate', async () => {
    const made = await makeSigningKey('a site');
    const privateKey = createPrivateKey({ key: made.privateKey, format: 'der', type: 'pkcs8' });
    const key = { privateKey, certificate: made.certificate };
    const { certificate } = made;
    const { browser, page, siteOf, requestOf } = await begin({
      Unsigned: { certificate, signed_requests: false },
      Signed: { certificate, signed_requests: false },
      Posted: { certificate, signed_requests: false, sls_binding: 'post' },
    });
    expect(outcomeOf(await answerInFrame(responseTo(requestOf('Unsigned'), siteOf('Unsigned'))))).toBe('failed');
    expect(outcomeOf(await answerInFrame(responseTo(requestOf('Signed'), siteOf('Signed'), { key })))).toBe('informed');
    const fields = responseFields(requestOf('Posted'), siteOf('Posted'), { key });
    expect(outcomeOf(await testApp.browser().post('/saml/northlab/slo', fields, inFrame))).toBe('informed');
    expect(stillSignedIn(await continueWithFrames(browser, page))).toEqual(['Unsigned']);
  });

  test('a late answer counts until the site gets another request, and changes nothing of other sites', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Returned: {}, Late: {}, Silent: {} });
    await answerInFrame(responseTo(requestOf('Returned'), siteOf('Returned')), inForeignFrame);
    const visit = await continueWithFrames(browser, page);
    expect(visit.url).toContain(siteOf('Returned').sls);
    expect(outcomeOf(await answerInFrame(responseTo(requestOf('Late'), siteOf('Late')), inForeignFrame))).toBe(
      'informed',
    );
    const end = await browser.get(responseTo({ redirect: visit.url }, siteOf('Returned')));
    expect(stillSignedIn(end)).toEqual(['Silent']);
    const before = await testApp.db
      .select()
      .from(logoutSites)
      .where(eq(logoutSites.site_id, siteOf('Silent').id));
    const repeated = await answerInFrame(responseTo(requestOf('Late'), siteOf('Late'), { status: 'Responder' }));
    expect(outcomeOf(repeated)).toBe('informed');
    expect(
      await testApp.db
        .select()
        .from(logoutSites)
        .where(eq(logoutSites.site_id, siteOf('Silent').id)),
    ).toEqual(before);
  });

  test('continues in its own browser and from its own page only', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Wiki: {}, Private: {} });
    const { action = '', fields = {} } = page.form ?? {};
    const stranger = testApp.browser();
    for (const name of ['opensocial_logout', `logout-${fields['logout']}`])
      stranger.cookies.set(name, String(fields['logout']));
    const attempts = [
      await stranger.post(action, fields),
      await browser.post(action, { logout: fields['logout'] ?? '' }),
      await browser.post(action, { ...fields, csrf: 'x' }),
      await browser.post(action, { ...fields, logout: '0' }),
      await browser.post(action, { ...fields, logout: 'x' }),
      await browser.post(action, {}),
    ];
    for (const { status, html } of attempts) {
      expect(status).toBe(400);
      expect(html).not.toMatch(/Private|Wiki/);
    }
    // A site that takes its frame's answer to the whole window gets nothing either.
    const framed = await browser.get(responseTo(requestOf('Wiki'), siteOf('Wiki')), { 'sec-fetch-site': 'cross-site' });
    expect(framed.html).not.toContain('Private');
    expect((await browser.submit(page)).status).toBe(303);
  });

  test('continues where it was after the page was reloaded, or returned to from a visit', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ First: {}, Second: {}, Third: {} });
    await answerInFrame(responseTo(requestOf('First'), siteOf('First')));
    const reloaded = await browser.get(page.url);
    const frames = framesOf(reloaded.html);
    expect([...frames.keys()]).toEqual(['Second', 'Third']);
    expect((await answerInFrame(responseTo(requestOf('Second'), siteOf('Second')))).status).toBe(400);
    const given = frames.get('Second') as GivenRequest;
    await answerInFrame(responseTo(given, siteOf('Second'), { status: 'Responder' }), inForeignFrame);
    expect((await continueWithFrames(browser, reloaded)).url).toContain(siteOf('Second').sls);
    // The site does not send the browser back, and the person does.
    const former = new Map(browser.cookies);
    const end = await browser.get(page.url);
    expect(stillSignedIn(end)).toEqual(['Second', 'Third']);
    for (const [name, value] of former) browser.cookies.set(name, value);
    expect((await browser.get(page.url)).status).toBe(400);
    expect((await testApp.browser().get(page.url)).status).toBe(400);
  });

  test('asks a site that the session has entered at the same moment', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await enter(browser, await makeSite(testApp.db, { site_name: 'Early' }), user.email);
    const [session] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    const late = await makeSite(testApp.db, { site_name: 'Late' });
    const ended = await runWhileLocked(
      testApp,
      sql`insert into identity_session_sites (session_id, site_id, name_id, name_id_format)
        values (${session?.id}, ${late.id}, ${user.email}, 'x')`,
      () => browser.get('/server/saml/logout', ownPage),
      async () => undefined,
    );
    const page = ended.status === 'fulfilled' ? ended.value.html : '';
    expect([...framesOf(page).keys()]).toEqual(['Early', 'Late']);
  });

  test('does not ask a site again that answers while the page is reloaded', async () => {
    const { browser, page, siteOf } = await begin({ Answering: {}, Silent: {} });
    const ofSite = eq(logoutSites.site_id, siteOf('Answering').id);
    const reloaded = await runWhileLocked(
      testApp,
      sql`select from logout_sites where ${ofSite} for update`,
      () => browser.get(page.url),
      (tx) => tx.update(logoutSites).set({ step: 'done', is_informed: true }).where(ofSite),
    );
    expect(await testApp.db.select({ step: logoutSites.step }).from(logoutSites).where(ofSite)).toEqual([
      { step: 'done' },
    ]);
    const html = reloaded.status === 'fulfilled' ? reloaded.value.html : '';
    expect([...framesOf(html).keys()]).toEqual(['Silent']);
  });

  test('shows its page only some times, because each one has a signature for each site', async () => {
    const { browser, page } = await begin({ Wiki: {} });
    const statuses: number[] = [];
    for (let count = 0; count < 25; count += 1) statuses.push((await browser.get(page.url)).status);
    expect(statuses.slice(0, 15)).toEqual(Array.from({ length: 15 }, () => 200));
    expect(statuses.at(-1)).toBe(429);
    // The logout itself goes on.
    expect((await continueWithFrames(browser, page)).status).toBe(200);
    const other = await begin({ Wiki: {} });
    expect(other.page.status).toBe(200);
  });

  test('is shown as a page of its own only, not in the frame of a site', async () => {
    const { browser, page } = await begin({ Wiki: {} });
    expect((await browser.get(page.url, { 'sec-fetch-dest': 'iframe' })).status).toBe(400);
    expect((await browser.get(page.url, { 'sec-fetch-dest': 'document' })).status).toBe(200);
  });

  test('that stops at a visit is skipped by Continue, and reported with the sites that were not confirmed', async () => {
    const { browser, page, siteOf, requestOf } = await begin({ Hanging: {}, Later: {} });
    for (const name of ['Hanging', 'Later'])
      await answerInFrame(responseTo(requestOf(name), siteOf(name), { status: 'Responder' }), inForeignFrame);
    expect((await continueWithFrames(browser, page)).url).toContain(siteOf('Hanging').sls);
    const next = await continueWithFrames(browser, page);
    expect(next.url).toContain(siteOf('Later').sls);
    const end = await browser.get(responseTo({ redirect: next.url }, siteOf('Later')));
    expect(stillSignedIn(end)).toEqual(['Hanging']);
  });

  test.each([
    ['https://sso.example.org', 'https://wiki.example.org/sls', true],
    ['https://sso.example.org', 'http://wiki.example.org/sls', false],
    ['https://sso.example.org', 'http://localhost:3000/sls', true],
    ['https://sso.example.org', 'http://127.0.0.1:3000/sls', true],
    ['https://sso.example.org', 'http://[::1]:3000/sls', false],
    ['https://sso.example.org', 'https://sso.example.org/server/saml/logout', false],
    ['http://localhost:8080', 'http://wiki.example.org/sls', true],
    ['http://localhost:8080', 'not an address', false],
  ])('a page of %s can have %s in a frame: %s', (publicUrl, address, expected) => {
    expect(isFrameable({ publicUrl, isHttps: publicUrl.startsWith('https:') }, address)).toBe(expected);
  });

  test('visits a site that cannot be in a frame last, without scripts too', async () => {
    for (const framed of ['yes', '']) {
      const { browser, page, siteOf, requestOf, frames } = await begin({
        Alone: { sls: `${testOrigin}/nowhere` },
        Framed: {},
      });
      expect([...frames.keys()]).toEqual(['Framed']);
      expect(textOf(page.html)).toContain('Alone');
      await answerInFrame(responseTo(requestOf('Framed'), siteOf('Framed')), inForeignFrame);
      const first = await browser.submit(page, { framed });
      expect(first.url).toContain(siteOf('Framed').sls);
      const last = await browser.get(responseTo({ redirect: first.url }, siteOf('Framed')));
      expect(last.url).toContain(`${testOrigin}/nowhere?SAMLRequest=`);
    }
  });
});

describe('the binding of a site', () => {
  /** A logout that a site requests with a binding; no other site is signed in. */
  const request = async (draft: Partial<Site>, binding: 'redirect' | 'post') => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const site = await makeSite(testApp.db, draft);
    const { provider, profile } = await enter(browser, site, user.email);
    if (binding === 'redirect') return browser.get(await provider.signOutUrl(profile, 'r'));
    const location = `${testOrigin}/saml/northlab/slo`;
    const xml = buildLogoutRequest({
      id: newSamlId(),
      issuer: site.identity,
      destination: location,
      issueInstant: new Date(),
      nameId: { value: profile.nameID, format: profile.nameIDFormat },
      sessionIndex: profile.sessionIndex,
    });
    return browser.post('/saml/northlab/slo', postForm({ location, kind: 'SAMLRequest', xml, relayState: 'r' }).fields);
  };

  test.each([
    ['auto', 'redirect', 'redirect'],
    ['auto', 'post', 'post'],
    ['redirect', 'redirect', 'redirect'],
    ['redirect', 'post', 'redirect'],
    ['post', 'redirect', 'post'],
    ['post', 'post', 'post'],
  ] as const)(
    '%s gets the response to its %s request by %s, at its response address',
    async (sls_binding, asked, answered) => {
      const sls_response = 'https://wiki.northlab.org/logged-out';
      const page = await request({ sls_binding, sls_response }, asked);
      const location = answered === 'post' ? page.form?.action : page.url.split('?')[0];
      expect(location).toBe(sls_response);
      const message = answered === 'post' ? readPost(page.form?.fields ?? {}) : readRedirect(new URL(page.url).search);
      const certificates = await findCertificates(testApp.db, (await networkNamed(testApp.db, 'northlab')).id);
      expect(parseLogoutResponse(verifyMessage(message, certificates))).toMatchObject({
        success: true,
        partial: false,
        destination: sls_response,
      });
      expect(message.relayState).toBe('r');
    },
  );

  test('SOAP only gets no response in the browser', async () => {
    const page = await request({ sls_binding: 'soap' }, 'redirect');
    expect(textOf(page.html)).toContain('You are signed out');
  });

  test('POST gets its requests in a form, also without scripts', async () => {
    const { browser, page, siteOf } = await begin({ Wiki: { sls_binding: 'post' } });
    const visit = await browser.submit(page);
    expect(visit.form?.action).toBe(siteOf('Wiki').sls);
    const given = { form: visit.form ?? { action: '', fields: {} } };
    // The answer comes from another site, without our cookies; our page sends it again.
    const crossSite = await browser.post('/saml/northlab/slo', responseFields(given, siteOf('Wiki')), { cookie: '' });
    expect(textOf(crossSite.html)).toContain('Continue');
    expect(stillSignedIn(await browser.submit(crossSite))).toEqual([]);
  });

  test('that answers elsewhere is still asked at its own address', async () => {
    const { requestOf, siteOf } = await begin({ Wiki: { sls_response: 'https://wiki.northlab.org/logged-out' } });
    expect(readGiven(requestOf('Wiki')).request.destination).toBe(siteOf('Wiki').sls);
  });
});

test('a site without a logout address learns no other site of a session that another browser has', async () => {
  const user = await makeUser(testApp.db);
  const browser = testApp.browser();
  const curious = await makeSite(testApp.db);
  const { provider, profile } = await enter(browser, curious, user.email);
  await enter(browser, await makeSite(testApp.db, { site_name: 'Private', sls: null }), user.email);
  const url = await provider.signOutUrl(profile);
  await testApp.db.update(sites).set({ sls: null }).where(eq(sites.id, curious.id));
  const page = await testApp.browser().get(url);
  expect(textOf(page.html)).toContain('You are signed out');
  expect(page.html).not.toContain('Private');
});
