import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog } from '../../../database/schema.ts';
import { makeGroup, makeUser, password } from '../../../testing/app/builders.ts';
import { claimsIn, OidcClient, parametersOf, toTokens } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
let client: OidcClient;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
});

/** The id of a sign-in that has been begun without a session. */
const begin = async (of: OidcClient, cookie = '') => {
  const answer = await testApp.app.inject({ url: of.authorizationUrl(), headers: { cookie } });
  return /interaction\/([\w-]+)$/.exec(String(answer.headers.location))?.[1] ?? '';
};

describe('several sign-ins at once', () => {
  test('in two tabs of a browser both work, and share the session', async () => {
    const { email, uid } = await makeUser(testApp.db);
    const browser = testApp.browser();
    const [first, second] = [
      await browser.get(client.authorizationUrl({ state: '1' })),
      await browser.get(client.authorizationUrl({ state: '2' })),
    ];
    const pages = [await browser.submit(second, { email, password }), await browser.submit(first, { email, password })];
    expect(pages.map((page) => parametersOf(page)['state'])).toEqual(['2', '1']);
    for (const page of pages) {
      const fields = {
        grant_type: 'authorization_code',
        code: parametersOf(page)['code'] ?? '',
        redirect_uri: client.redirectUri,
      };
      expect(claimsIn(toTokens(await client.post('token', fields)).id)['sub']).toBe(uid);
    }
  });

  test('in two browsers have different sessions', async () => {
    const { email } = await makeUser(testApp.db);
    const sids = await Promise.all(
      [testApp.browser(), testApp.browser()].map(
        async (browser) => claimsIn((await client.tokens(browser, email)).id)['sid'],
      ),
    );
    expect(new Set(sids).size).toBe(2);
  });

  test('with the session of a browser at the same time all work', async () => {
    const { email } = await makeUser(testApp.db);
    const browser = testApp.browser();
    await client.code(browser, email);
    const codes = await Promise.all(Array.from({ length: 10 }, () => client.code(browser)));
    const answers = await Promise.all(codes.map((code) => client.exchange(code)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const answer of answers) expect((await client.userinfo(toTokens(answer).access)).status).toBe(200);
  });
});

test('another person who signs in on the way gets the code', async () => {
  const [ana, bob] = [await makeUser(testApp.db), await makeUser(testApp.db)];
  const browser = testApp.browser();
  await client.code(browser, ana.email);
  const begun = await browser.get(client.authorizationUrl({ prompt: 'login' }));
  const other = await OidcClient.of(testApp);
  await other.code(browser, bob.email, { prompt: 'login' });
  const page = await browser.submit(begun, { email: bob.email, password });
  const fields = {
    grant_type: 'authorization_code',
    code: parametersOf(page)['code'] ?? '',
    redirect_uri: client.redirectUri,
  };
  expect(claimsIn(toTokens(await client.post('token', fields)).id)['sub']).toBe(bob.uid);
});

describe('a sign-in that was begun in another browser', () => {
  test('is not continued', async () => {
    const uid = await begin(client);
    const { email } = await makeUser(testApp.db);
    const victim = testApp.browser();
    await client.code(victim, email);
    for (const path of ['interaction', 'auth'])
      for (const cookie of ['', 'oidc-interaction=x; oidc-resume=x']) {
        const page = await victim.get(`/oidc/northlab/${path}/${uid}`, cookie ? { cookie } : {});
        expect([page.status, page.headers['location'], page.form]).toEqual([400, undefined, undefined]);
        expect(page.html).toContain('This sign-in has ended');
      }
  });

  test('is not continued by the cookie of another one', async () => {
    const [one, other] = [await begin(client), await begin(client)];
    const cookies = [`oidc-resume=${other}`, `oidc-resume=${other}; oidc-resume=${one}`, `x=${one}`];
    for (const cookie of cookies) {
      const answer = await testApp.app.inject({ url: `/oidc/northlab/auth/${one}`, headers: { cookie } });
      expect(answer.statusCode).toBe(400);
    }
  });

  test('does not let a person past the groups of its site through the request of another site', async () => {
    const { email, id } = await makeUser(testApp.db);
    const browser = testApp.browser();
    await client.code(browser, email);
    const closed = await OidcClient.of(testApp, { groups: [(await makeGroup(testApp.db)).id] });
    const [open, shut] = [await begin(client), await begin(closed)];
    const session = `opensocial_identity=${browser.cookies.get('opensocial_identity')}`;
    for (const cookie of [`oidc-resume=${shut}`, `oidc-resume=${open}; oidc-resume=${shut}`, `oidc-resume="${shut}"`]) {
      const headers = { cookie: `${cookie}; ${session}` };
      const answer = await testApp.app.inject({ url: `/oidc/northlab/auth/${open}`, headers });
      expect(answer.headers.location ?? '').not.toContain(closed.redirectUri);
    }
    const lines = await testApp.db.select().from(loginLog).where(eq(loginLog.user_id, id));
    expect(lines.filter(({ site_id }) => site_id === closed.site.id)).toEqual([]);
  });

  test('works once', async () => {
    const { email } = await makeUser(testApp.db);
    const browser = testApp.browser();
    await client.code(browser, email);
    const uid = await begin(client);
    const session = `opensocial_identity=${browser.cookies.get('opensocial_identity')}`;
    const resume = () =>
      testApp.app.inject({
        url: `/oidc/northlab/auth/${uid}`,
        headers: { cookie: `oidc-resume=${uid}; ${session}` },
      });
    expect((await resume()).headers.location).toContain('code=');
    expect((await resume()).statusCode).toBe(400);
  });
});

test('a request that another site posts is repeated as a link, with the session', async () => {
  const { email } = await makeUser(testApp.db);
  const browser = testApp.browser();
  await client.code(browser, email);
  const fields = Object.fromEntries(new URLSearchParams(client.authorizationUrl().split('?')[1]));
  const page = await browser.post('/oidc/northlab/auth', fields, { origin: 'https://app.example' });
  expect(parametersOf(page)['code']).toBeTruthy();
  const posted = await testApp.app.inject({
    method: 'POST',
    url: '/oidc/%0d%0ax:%20y/auth',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'client_id=x',
  });
  expect(posted.headers['x']).toBeUndefined();
  expect(posted.statusCode).toBeLessThan(500);
});

test('the library sets no cookie for a session of its own', async () => {
  const { email } = await makeUser(testApp.db);
  const browser = testApp.browser();
  await client.code(browser, email);
  expect([...browser.cookies.keys()].filter((name) => name.startsWith('oidc'))).toEqual([]);
  const begun = await testApp.app.inject(client.authorizationUrl());
  const cookies = [begun.headers['set-cookie'] ?? []].flat();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['oidc-interaction', 'oidc-resume']);
  for (const cookie of cookies) expect(cookie).toMatch(/path=\/oidc\/northlab\/\w+\/[\w-]+;.*samesite=lax;.*httponly/i);
});
