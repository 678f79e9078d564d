import { buildLogoutRequest, newSamlId, parseLogoutResponse, postForm, readPost } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { consoleSessions, identitySessions, logouts } from '../../database/schema.ts';
import { type Browser, textOf } from '../../testing/browser.ts';
import { makeSite, makeUser, password } from '../../testing/builders.ts';
import { makeProviderKey, ServiceProvider } from '../../testing/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { testOrigin } from '../../testing/test-parts.ts';

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

const sessionsOf = async (userId: number) => ({
  identity: await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, userId)),
  console: await testApp.db.select().from(consoleSessions).where(eq(consoleSessions.user_id, userId)),
});

describe('single logout', () => {
  test('begun in the console reaches every site and ends on a page that says so', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const samples = await providerOf('Samples');
    await enter(browser, reports, user.email);
    await enter(browser, samples, user.email);
    await enterConsole(browser);

    let page = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    const told: string[] = [];
    while (page.status === 303) {
      const provider = page.url.startsWith(reports.site.sls) ? reports : samples;
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
    expect(browser.cookies.has('session')).toBe(false);
  });

  test('is asked for and answered by post as well', async () => {
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

  test('names the sites that refused', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    await enter(browser, reports, user.email);
    await enterConsole(browser);
    const page = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    const { profile } = await reports.receiveLogout(page.url);
    const relayState = new URL(page.url).searchParams.get('RelayState') ?? '';
    const refusal = await reports.saml.getLogoutResponseUrlAsync(profile as never, relayState, {}, false);
    expect(textOf((await browser.get(refusal)).html)).toMatch(/could not be told.*Reports/);
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
  ] as const)('goes on where a site gives an answer that is %s, and names it in the end', async ([, answer]) => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const muddled = await providerOf('Muddled');
    const samples = await providerOf('Samples');
    for (const provider of [muddled, samples]) await enter(browser, provider, user.email);
    await enterConsole(browser);
    let page = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    const told: string[] = [];
    while (page.status === 303) {
      const relayState = new URL(page.url).searchParams.get('RelayState') ?? '';
      const isMuddled = page.url.startsWith(muddled.site.sls);
      told.push(isMuddled ? 'Muddled' : 'Samples');
      const query = new URLSearchParams(await answer(muddled, relayState));
      query.set('RelayState', relayState);
      page = await browser.get(
        isMuddled ? `/saml/northlab/slo?${query}` : ((await samples.receiveLogout(page.url)).answerUrl ?? ''),
      );
    }
    expect(told.toSorted()).toEqual(['Muddled', 'Samples']);
    expect(textOf(page.html)).toMatch(/You are signed out.*could not be told.*Muddled/);
    expect(textOf(page.html)).not.toContain('Samples');
  });

  test('that a site keeps for itself is told of at the next sign-in of that browser, until it signs in', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const gone = await providerOf('Gone');
    const later = await providerOf('Later');
    for (const provider of [gone, later]) await enter(browser, provider, user.email);
    await enterConsole(browser);
    await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    const sentence = 'Some sites could not be told';
    const signIn = () => browser.get('/server/saml/login');
    // Another tab may be on its way through them at this moment.
    expect(textOf((await signIn()).html)).not.toContain(sentence);
    await testApp.db.update(logouts).set({ created_at: new Date(Date.now() - 6_000) });
    const page = await signIn();
    expect(textOf(page.html)).toMatch(/Some sites could not be told.*Gone.*Later/);
    expect(textOf((await browser.get('/server/saml/logout')).html)).toMatch(
      /Some sites could not be told.*Gone.*Later/,
    );
    expect(textOf((await testApp.browser().get('/server/saml/login')).html)).not.toContain(sentence);
    await browser.submit(page, { email: user.email, password });
    browser.cookies.delete('identity');
    expect(textOf((await signIn()).html)).not.toContain(sentence);
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

  test('without proof leaves even the cookie where it is', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const profile = await enter(browser, reports, user.email);
    const cookie = browser.cookies.get('identity');
    const { sessionIndex: _, ...nameless } = profile;
    const page = await browser.get(await reports.signOutUrl(nameless));
    await expect(reports.receiveLogout(page.url)).rejects.toThrow();
    await browser.get(await reports.signOutUrl({ ...profile, nameID: 'someone@else.org', sessionIndex: '_guessed' }));
    expect(browser.cookies.get('identity')).toBe(cookie);
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
  });

  test('ends the console at once, even if the browser goes no further', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    const samples = await providerOf('Samples');
    const profile = await enter(browser, reports, user.email);
    await enter(browser, samples, user.email);
    await enterConsole(browser);
    expect((await browser.get(await reports.signOutUrl(profile))).url).toContain(samples.site.sls);
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

  test('asked for when the console has run out still signs the browser out, and names whom nobody told', async () => {
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const reports = await providerOf('Reports');
    await enter(browser, reports, user.email);
    await enterConsole(browser);
    await testApp.db.delete(consoleSessions).where(eq(consoleSessions.user_id, user.id));
    await browser.get('/server/saml/logout', { 'sec-fetch-site': 'cross-site' });
    expect((await sessionsOf(user.id)).identity).toHaveLength(1);
    const page = await browser.get('/server/saml/logout', { 'sec-fetch-site': 'same-origin' });
    expect(textOf(page.html)).toMatch(/You are signed out.*Reports/);
    expect((await sessionsOf(user.id)).identity).toEqual([]);
  });

  test('without a session says that one is signed out', async () => {
    const page = await testApp.browser().get('/server/saml/logout');
    expect(textOf(page.html)).toContain('You are signed out');
  });
});
