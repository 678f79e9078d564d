import { buildLogoutRequest, newSamlId, parseLogoutResponse, postForm, readPost, readRedirect } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleSessions, identitySessions, logouts, sites } from '../../../database/schema.ts';
import { type Browser, type Page, textOf } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { makeProviderKey, ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { findCertificates } from '../../networks/networks.queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const providerOf = async (name: string, changes: object = {}, draft: object = {}) =>
  ServiceProvider.of(testApp, await makeSite(testApp.db, { site_name: name, ...draft }), changes);

const enter = async (browser: Browser, provider: ServiceProvider, email: string) => {
  const page = await browser.get(await provider.signInUrl());
  return provider.receive(page.form?.fields['SAMLResponse'] ? page : await browser.submit(page, { email, password }));
};

const enterConsole = async (browser: Browser) => browser.submit(await browser.get('/server/saml/login'));

/** Presses Continue on the page with the frames, as a browser without scripts does. */
const skipFrames = async (browser: Browser, page: Page): Promise<Page> =>
  page.form?.action.endsWith('/slo/continue') ? browser.submit(page) : page;

/** Opens an address that begins a logout, up to the first site. */
const leave = async (browser: Browser, url: string, headers?: Record<string, string>): Promise<Page> =>
  skipFrames(browser, await browser.get(url, headers));

const ownPage = { 'sec-fetch-site': 'same-origin' };

const sessionsOf = async (userId: number) => ({
  identity: await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, userId)),
  console: await testApp.db.select().from(consoleSessions).where(eq(consoleSessions.user_id, userId)),
});

describe('single logout', () => {
  test('begun in the console reaches every site and ends on a page that confirms it', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const samples = await providerOf('Samples');
    await enter(browser, reports, user.email);
    await enter(browser, samples, user.email);
    await enterConsole(browser);

    let page = await leave(browser, '/server/saml/logout', ownPage);
    const told: string[] = [];
    while (page.status === 303) {
      const provider = page.url.startsWith(String(reports.site.sls)) ? reports : samples;
      told.push(provider.site.site_name);
      const { profile, answerUrl } = await provider.receiveLogout(page.url);
      expect(profile).toMatchObject({ nameID: user.email });
      page = await browser.get(answerUrl ?? '');
    }
    expect(told.toSorted()).toEqual(['Reports', 'Samples']);
    expect(textOf(page.html)).toContain('You are signed out');
    expect(await sessionsOf(user.id)).toEqual({ identity: [], console: [] });
    expect(textOf((await browser.get(await reports.signInUrl())).html)).toContain('Password');
  });

  test('begun by a site ends the console too, and answers the site', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const profile = await enter(browser, reports, user.email);
    await enterConsole(browser);
    const page = await browser.get(await reports.signOutUrl(profile, 'back to me'));
    expect(page.url).toContain(reports.site.sls);
    expect(new URL(page.url).searchParams.get('RelayState')).toBe('back to me');
    await reports.receiveLogout(page.url);
    expect(await sessionsOf(user.id)).toEqual({ identity: [], console: [] });
    expect(browser.cookies.has('opensocial_session')).toBe(false);
  });

  test('works with the POST binding too', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const profile = await enter(browser, reports, user.email);
    const location = `${testOrigin}/saml/northlab/slo`;
    const xml = buildLogoutRequest({
      id: newSamlId(),
      issuer: reports.site.identity,
      destination: location,
      issueInstant: new Date(),
      nameId: { value: profile.nameID, format: profile.nameIDFormat },
      sessionIndex: profile.sessionIndex,
    });
    const { fields } = postForm({ location, kind: 'SAMLRequest', xml, relayState: 'r' });
    const page = await browser.post('/saml/northlab/slo', fields);
    expect(page.form).toMatchObject({ action: reports.site.sls, fields: { RelayState: 'r' } });
    expect(parseLogoutResponse(readPost(page.form?.fields ?? {}).xml).success).toBe(true);
    const { profile: none } = await reports.saml.validatePostResponseAsync(page.form?.fields ?? {});
    expect(none).toBeNull();
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test('begun here after the session of the console has expired reaches every site too', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const [reports, samples] = [await providerOf('Reports'), await providerOf('Samples')];
    for (const provider of [reports, samples]) await enter(browser, provider, user.email);
    let page = await leave(browser, '/server/saml/logout', ownPage);
    const notified: string[] = [];
    while (page.status === 303) {
      const provider = page.url.startsWith(String(reports.site.sls)) ? reports : samples;
      notified.push(provider.site.site_name);
      page = await browser.get((await provider.receiveLogout(page.url)).answerUrl ?? '');
    }
    expect(notified.toSorted()).toEqual(['Reports', 'Samples']);
    expect(textOf(page.html)).toContain('You are signed out');
    expect(textOf(page.html)).not.toContain('could not be signed out');
    expect(await sessionsOf(user.id)).toEqual({ identity: [], console: [] });
    expect([...browser.cookies.keys()].filter((name) => name.includes('logout'))).toEqual([]);
  });

  test('names a site without a logout address, and the site that requested it gets PartialLogout', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const silent = await providerOf('Silent');
    await testApp.db.update(sites).set({ sls: null }).where(eq(sites.id, silent.site.id));
    const profile = await enter(browser, reports, user.email);
    await enter(browser, silent, user.email);
    const answered = await browser.get(await reports.signOutUrl(profile));
    expect(answered.url).toContain(String(reports.site.sls));
    const { xml } = readRedirect(new URL(answered.url).search);
    expect(parseLogoutResponse(xml)).toMatchObject({ success: true, partial: true });

    await enter(browser, silent, user.email);
    const page = await leave(browser, '/server/saml/logout', ownPage);
    expect(textOf(page.html)).toMatch(/You are signed out.*could not be signed out.*Silent/);
  });

  test('begun by a site without a logout address ends on a page of ours', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const silent = await providerOf('Silent');
    const profile = await enter(browser, silent, user.email);
    const url = await silent.signOutUrl(profile);
    await testApp.db.update(sites).set({ sls: null }).where(eq(sites.id, silent.site.id));
    const page = await browser.get(url);
    expect(textOf(page.html)).toContain('You are signed out');
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test('names the sites that refused', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    await enter(browser, reports, user.email);
    await enterConsole(browser);
    const page = await leave(browser, '/server/saml/logout', ownPage);
    const { profile } = await reports.receiveLogout(page.url);
    const relayState = new URL(page.url).searchParams.get('RelayState') ?? '';
    const refusal = await reports.saml.getLogoutResponseUrlAsync(profile as never, relayState, {}, false);
    expect(textOf((await browser.get(refusal)).html)).toMatch(/could not be signed out.*Reports/);
  });

  test.for([
    ['unreadable', () => 'SAMLResponse=nonsense'],
    ['empty', () => 'SAMLResponse='],
    [
      'to another question',
      async (muddled: ServiceProvider, relayState: string) => {
        const other = { ID: '_another', nameID: 'x', nameIDFormat: '', issuer: '' };
        return new URL(await muddled.saml.getLogoutResponseUrlAsync(other, relayState, {}, true)).search.slice(1);
      },
    ],
  ] as const)('continues if the response of a site is %s, and names the site at the end', async ([, answer]) => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const muddled = await providerOf('Muddled');
    const samples = await providerOf('Samples');
    for (const provider of [muddled, samples]) await enter(browser, provider, user.email);
    await enterConsole(browser);
    let page = await leave(browser, '/server/saml/logout', ownPage);
    const told: string[] = [];
    while (page.status === 303) {
      const relayState = new URL(page.url).searchParams.get('RelayState') ?? '';
      const isMuddled = page.url.startsWith(String(muddled.site.sls));
      told.push(isMuddled ? 'Muddled' : 'Samples');
      const query = new URLSearchParams(await answer(muddled, relayState));
      query.set('RelayState', relayState);
      page = await browser.get(
        isMuddled ? `/saml/northlab/slo?${query}` : ((await samples.receiveLogout(page.url)).answerUrl ?? ''),
      );
    }
    expect(told.toSorted()).toEqual(['Muddled', 'Samples']);
    expect(textOf(page.html)).toMatch(/You are signed out.*could not be signed out.*Muddled/);
    expect(textOf(page.html)).not.toContain('Samples');
  });

  test('that a site interrupts is reported at the next sign-in of that browser, until it signs in', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const gone = await providerOf('Gone');
    const later = await providerOf('Later');
    for (const provider of [gone, later]) await enter(browser, provider, user.email);
    await enterConsole(browser);
    await leave(browser, '/server/saml/logout', ownPage);
    const sentence = 'You could not be signed out of some applications';
    const signIn = () => browser.get('/server/saml/login');
    // The logout may still be running in another tab.
    expect(textOf((await signIn()).html)).not.toContain(sentence);
    await testApp.db.update(logouts).set({ created_at: new Date(Date.now() - 6_000) });
    const page = await signIn();
    expect(textOf(page.html)).toMatch(/You could not be signed out of some applications.*Gone.*Later/);
    expect(textOf((await browser.get('/server/saml/logout')).html)).toMatch(
      /You could not be signed out of some applications.*Gone.*Later/,
    );
    expect(textOf((await testApp.browser().get('/server/saml/login')).html)).not.toContain(sentence);
    await browser.submit(page, { email: user.email, password });
    browser.cookies.delete('opensocial_identity');
    expect(textOf((await signIn()).html)).not.toContain(sentence);
  });

  /** Signs a person in to three sites. The first of them requests the logout. */
  const beginAtThree = async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const [asking, ...others] = [await providerOf('Asking'), await providerOf('First'), await providerOf('Second')];
    const profile = await enter(browser, asking, user.email);
    for (const provider of others) await enter(browser, provider, user.email);
    const page = await leave(browser, await asking.signOutUrl(profile));
    const told = others.find(({ site }) => page.url.startsWith(String(site.sls))) ?? asking;
    const waiting = others.find((provider) => provider !== told) ?? asking;
    const token = new URL(page.url).searchParams.get('RelayState') ?? '';
    return { user, browser, asking, told, waiting, page, token };
  };
  /** A post from a page of another site, which has no cookies of ours. */
  const crossSite = { cookie: '' };
  const statusOf = (url: string) => parseLogoutResponse(readRedirect(new URL(url).search.slice(1)).xml);

  test('continues in its own browser only, even if a notified site sends requests from its server', async () => {
    const { browser, asking, told, waiting, page, token } = await beginAtThree();
    const server = testApp.browser();
    const answer = `/saml/northlab/slo?SAMLResponse=x&RelayState=${token}`;
    const goesNoFurther = async () => {
      const { status, html } = await server.get(answer);
      expect(status).toBe(400);
      expect(textOf(html)).toContain('This sign-out could not be completed');
      expect(html).not.toContain(waiting.site.sls);
    };
    await goesNoFurther();
    const id = browser.cookies.get('opensocial_logout') ?? '';
    for (const name of ['browser', `logout-${id}`]) server.cookies.set(name, token);
    server.cookies.set('opensocial_logout', id);
    await goesNoFurther();
    const posted = await server.post('/saml/northlab/slo', { SAMLResponse: 'x', RelayState: token });
    expect(posted.status).toBe(400);
    // The answer does not disclose which sites are still to be notified.
    await testApp.db.update(logouts).set({ created_at: new Date(Date.now() - 6_000) });
    expect(textOf((await server.get('/server/saml/login')).html)).not.toContain('could not be signed out');
    expect(textOf((await server.get('/server/saml/logout')).html)).not.toContain('could not be signed out');
    // The logout continues in the browser itself.
    const next = await browser.get((await told.receiveLogout(page.url)).answerUrl ?? '');
    expect(next.url).toContain(waiting.site.sls);
    const last = await browser.get((await waiting.receiveLogout(next.url)).answerUrl ?? '');
    expect(last.url).toContain(asking.site.sls);
    expect(statusOf(last.url)).toMatchObject({ success: true, partial: false });
  });

  test('is bound to its browser by a new value, even if cookies were planted before', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const [asking, told] = [await providerOf('Asking'), await providerOf('Told')];
    const planted = Array.from({ length: 50 }, (_, id) => `logout-${id}`);
    for (const name of ['browser', 'logout', ...planted]) browser.cookies.set(name, 'planted');
    const profile = await enter(browser, asking, user.email);
    await enter(browser, told, user.email);
    const page = await leave(browser, await asking.signOutUrl(profile));
    const token = new URL(page.url).searchParams.get('RelayState') ?? '';
    const attacker = testApp.browser();
    const cookie = `logout-${browser.cookies.get('opensocial_logout')}`;
    for (const name of ['browser', cookie]) attacker.cookies.set(name, 'planted');
    const answer = `/saml/northlab/slo?SAMLResponse=x&RelayState=${token}`;
    expect((await attacker.get(answer)).status).toBe(400);
    expect(browser.cookies.get(cookie)).toMatch(/^[\w-]{43}$/);
    const last = await browser.get((await told.receiveLogout(page.url)).answerUrl ?? '');
    expect(statusOf(last.url)).toMatchObject({ success: true, partial: false });
    expect(browser.cookies.has(cookie)).toBe(false);
  });

  test('that a site requests without the browser ends the session, and discloses no other site', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const asking = await providerOf('Asking');
    const profile = await enter(browser, asking, user.email);
    await enter(browser, await providerOf('Private'), user.email);
    const page = await testApp.browser().get(await asking.signOutUrl(profile));
    expect(page.url).toContain(asking.site.sls);
    expect(statusOf(page.url)).toMatchObject({ success: true, partial: true });
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test('discloses no sites to a site that has the response sent to the page of the console', async () => {
    const user = await makeUser(testApp.db, { network: 'opensocial', alsoIn: ['northlab'] });
    const browser = testApp.browser();
    const { id } = await networkNamed(testApp.db, 'opensocial');
    const site = await makeSite(testApp.db, { network: 'opensocial', sls: `${testOrigin}/server/saml/sls` });
    const hostile = new ServiceProvider(site, await findCertificates(testApp.db, id), {
      entryPoint: `${testOrigin}/saml/opensocial/sso`,
      logoutUrl: `${testOrigin}/saml/opensocial/slo`,
      idpIssuer: `${testOrigin}/saml/opensocial/metadata`,
    });
    const profile = await enter(browser, hostile, user.email);
    await enter(browser, await providerOf('Private'), user.email);
    const page = await testApp.browser().get(await hostile.signOutUrl(profile));
    expect(textOf(page.html)).toContain('You are signed out');
    expect(textOf(page.html)).not.toContain('Private');
  });

  test('works with cross-site posts, which have no cookies of ours', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const [asking, told] = [await providerOf('Asking'), await providerOf('Told')];
    const profile = await enter(browser, asking, user.email);
    await enter(browser, told, user.email);
    const byPost = async (url: string) => {
      const { kind, xml, relayState } = readRedirect(new URL(url).search.slice(1));
      const { fields } = postForm({ location: `${testOrigin}/saml/northlab/slo`, kind, xml, relayState });
      const page = await browser.post('/saml/northlab/slo', fields, crossSite);
      expect(page.form?.action).toBe(`${testOrigin}/saml/northlab/slo`);
      expect(textOf(page.html)).toContain('Continue');
      return skipFrames(browser, await browser.submit(page));
    };
    const page = await byPost(await asking.signOutUrl(profile, 'back to me'));
    expect(page.url).toContain(told.site.sls);
    const last = await byPost((await told.receiveLogout(page.url)).answerUrl ?? '');
    expect(last.form).toMatchObject({ action: asking.site.sls, fields: { RelayState: 'back to me' } });
    const answer = parseLogoutResponse(readPost(last.form?.fields ?? {}).xml);
    expect(answer).toMatchObject({ success: true, partial: false });
  });

  test('runs in two tabs independently', async () => {
    const first = await beginAtThree();
    const { browser, user, asking } = first;
    // The person signs in again in another tab, and out.
    const profile = await enter(browser, asking, user.email);
    const other = await providerOf('Other');
    await enter(browser, other, user.email);
    const second = await leave(browser, await asking.signOutUrl(profile));
    expect(second.url).toContain(other.site.sls);
    // A third logout finds no session, and does not affect the running ones.
    const third = await leave(browser, await asking.signOutUrl(profile));
    expect(statusOf(third.url)).toMatchObject({ success: true, partial: false });
    const running = await testApp.db.select().from(logouts).where(eq(logouts.is_finished, false)).orderBy(logouts.id);
    expect(browser.cookies.get('opensocial_logout')).toBe(String(running.at(-1)?.id));
    const next = await browser.get((await first.told.receiveLogout(first.page.url)).answerUrl ?? '');
    expect(next.url).toContain(first.waiting.site.sls);
    const ended = await browser.get((await other.receiveLogout(second.url)).answerUrl ?? '');
    expect(statusOf(ended.url)).toMatchObject({ success: true, partial: false });
    expect(browser.cookies.has('opensocial_logout')).toBe(false);
    const last = await browser.get((await first.waiting.receiveLogout(next.url)).answerUrl ?? '');
    expect(statusOf(last.url)).toMatchObject({ success: true, partial: false });
  });

  test('whose browser has lost its cookies stops with a page, after the session has ended', async () => {
    const { user, browser, told, page } = await beginAtThree();
    browser.cookies.clear();
    const lost = await browser.get((await told.receiveLogout(page.url)).answerUrl ?? '');
    expect(textOf(lost.html)).toMatch(/could not be completed.*session here has ended.*close the browser/);
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test('with another subject or session ends nothing', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const profile = await enter(browser, reports, user.email);
    await browser.get(await reports.signOutUrl({ ...profile, sessionIndex: '_guessed' }));
    await browser.get(await reports.signOutUrl({ ...profile, nameID: 'someone@else.org' }));
    const stranger = await providerOf('Stranger');
    await browser.get(await stranger.signOutUrl(profile));
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
  });

  test('without a signature or session index does not delete the cookie', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const profile = await enter(browser, reports, user.email);
    const cookie = browser.cookies.get('opensocial_identity');
    const { sessionIndex: _, ...nameless } = profile;
    const page = await browser.get(await reports.signOutUrl(nameless));
    await expect(reports.receiveLogout(page.url)).rejects.toThrow();
    await browser.get(await reports.signOutUrl({ ...profile, nameID: 'someone@else.org', sessionIndex: '_guessed' }));
    expect(browser.cookies.get('opensocial_identity')).toBe(cookie);
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
  });

  test('ends the console session at once, even if the browser does not continue', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const samples = await providerOf('Samples');
    const profile = await enter(browser, reports, user.email);
    await enter(browser, samples, user.email);
    await enterConsole(browser);
    expect((await leave(browser, await reports.signOutUrl(profile))).url).toContain(samples.site.sls);
    expect(await sessionsOf(user.id)).toEqual({ identity: [], console: [] });
  });

  test('must be signed by a site with a certificate', async () => {
    const { privateKey, certificate } = await makeProviderKey();
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const signing = { privateKey, signatureAlgorithm: 'sha256' };
    const reports = await providerOf('Reports', signing, { certificate });
    const profile = await enter(browser, reports, user.email);
    const unsigned = await ServiceProvider.of(testApp, reports.site);
    expect(textOf((await browser.get(await unsigned.signOutUrl(profile))).html)).toContain('is not signed');
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
    await browser.get(await reports.signOutUrl(profile));
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test("a link on somebody else's page asks first", async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    await enter(browser, await providerOf('Reports'), user.email);
    await enterConsole(browser);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, {}]) {
      const page = await browser.get('/server/saml/logout', headers);
      expect(textOf(page.html)).toContain('Sign out of OpenSocial?');
      expect((await sessionsOf(user.id)).console).toHaveLength(1);
    }
    const confirm = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'cross-site' });
    await browser.submit(confirm);
    expect((await sessionsOf(user.id)).console).toEqual([]);
  });

  test('after the console session has expired ends the session at once and notifies the sites, only from our own page', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    await enter(browser, reports, user.email);
    await enterConsole(browser);
    await testApp.db.delete(consoleSessions).where(eq(consoleSessions.user_id, user.id));
    await browser.get('/server/saml/logout', { 'sec-fetch-site': 'cross-site' });
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
    const page = await leave(browser, '/server/saml/logout', ownPage);
    expect(page.url).toContain(String(reports.site.sls));
    expect((await sessionsOf(user.id)).identity).toEqual([]);
    expect(browser.cookies.has('opensocial_identity')).toBe(false);
    const end = await browser.get((await reports.receiveLogout(page.url)).answerUrl ?? '');
    expect(textOf(end.html)).toContain('You are signed out');
  });

  test('without a session shows that the person is signed out', async () => {
    const page = await testApp.browser().get('/server/saml/logout');
    expect(textOf(page.html)).toContain('You are signed out');
  });
});
