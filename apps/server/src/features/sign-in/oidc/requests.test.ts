import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, networks, type sites } from '../../../database/schema.ts';
import { newUid } from '../../../secrets/tokens.ts';
import { makeGroup, makeUser, password } from '../../../testing/app/builders.ts';
import { claimsIn, OidcClient, parametersOf, toTokens } from '../../../testing/app/oidc-client.ts';
import { resetSecondFactors, withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
let client: OidcClient;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
});
beforeEach(() => resetSecondFactors(testApp));

const mfa = 'https://refeds.org/profile/mfa';

const visitor = async () => {
  const user = await makeUser(testApp.db);
  const browser = testApp.browser();
  await client.code(browser, user.email);
  return { user, browser };
};
const linesOf = async (userId: number) =>
  (await testApp.db.select().from(loginLog).where(eq(loginLog.user_id, userId)).orderBy(loginLog.id)).map(
    ({ login_status, reason, site_id }) => ({ status: login_status, reason, site: site_id }),
  );
const idClaims = async (of: OidcClient, browser: ReturnType<TestApp['browser']>, changes = {}) =>
  claimsIn(toTokens(await of.exchange(await of.code(browser, undefined, changes))).id);

describe('prompt', () => {
  test('none answers from the session, or says that a sign-in is needed', async () => {
    const { browser } = await visitor();
    const url = client.authorizationUrl({ prompt: 'none' });
    expect(parametersOf(await browser.get(url))['code']).toBeTruthy();
    expect(parametersOf(await testApp.browser().get(url))).toMatchObject({ error: 'login_required', state: 'a state' });
  });

  test('none refuses a person without access, with a line in the log', async () => {
    const { user, browser } = await visitor();
    const closed = await OidcClient.of(testApp, { groups: [(await makeGroup(testApp.db)).id] });
    const page = await browser.get(closed.authorizationUrl({ prompt: 'none' }));
    expect(parametersOf(page)).toMatchObject({ error: 'access_denied', state: 'a state' });
    expect(await linesOf(user.id)).toContainEqual({
      status: 'Failed',
      reason: 'not in a group of the site',
      site: closed.site.id,
    });
    expect((await browser.get(closed.authorizationUrl())).status).toBe(403);
  });

  test.for(['login', 'select_account', 'login consent'])('%s asks for the password again', async (prompt) => {
    const { user, browser } = await visitor();
    const page = await browser.get(client.authorizationUrl({ prompt }));
    expect(page.html).toContain('type="password"');
    const code = await client.code(browser, user.email, { prompt });
    expect((await client.exchange(code)).status).toBe(200);
    // The sign-in counts for that request only.
    expect((await browser.get(client.authorizationUrl({ prompt }))).html).toContain('type="password"');
  });

  test('login is not satisfied by a sign-in in another tab', async () => {
    const { user, browser } = await visitor();
    const [first, second] = [
      await browser.get(client.authorizationUrl({ prompt: 'login', state: 'first' })),
      await browser.get(client.authorizationUrl({ prompt: 'login', state: 'second' })),
    ];
    const done = await browser.submit(second, { email: user.email, password });
    expect(parametersOf(done)).toMatchObject({ state: 'second', code: expect.any(String) as string });
    const also = await browser.submit(first, { email: user.email, password });
    expect(parametersOf(also)).toMatchObject({ state: 'first', code: expect.any(String) as string });
  });

  test('consent asks nothing, and an unknown value is refused', async () => {
    const { browser } = await visitor();
    expect(parametersOf(await browser.get(client.authorizationUrl({ prompt: 'consent' })))['code']).toBeTruthy();
    for (const prompt of ['create', 'none login', 'x'])
      expect(parametersOf(await browser.get(client.authorizationUrl({ prompt })))).toMatchObject({
        error: 'invalid_request',
      });
  });
});

describe('max_age', () => {
  const setAge = (userId: number, age: string) =>
    testApp.db
      .update(identitySessions)
      .set({ authenticated_at: sql`now() - ${age}::interval` })
      .where(eq(identitySessions.user_id, userId));

  test('is compared with the time of the sign-in, which the ID token has', async () => {
    const { user, browser } = await visitor();
    await setAge(user.id, '100 seconds');
    const { auth_time } = await idClaims(client, browser, { max_age: '10000' });
    expect(Number(auth_time)).toBeCloseTo(Date.now() / 1_000 - 100, -1);
    for (const max_age of ['0', '50']) {
      expect((await browser.get(client.authorizationUrl({ max_age }))).html).toContain('type="password"');
      const page = await browser.get(client.authorizationUrl({ max_age, prompt: 'none' }));
      expect(parametersOf(page)).toMatchObject({ error: 'login_required' });
    }
    const code = await client.code(browser, user.email, { max_age: '0' });
    const renewed = claimsIn(toTokens(await client.exchange(code)).id)['auth_time'];
    expect(Number(renewed)).toBeGreaterThan(Date.now() / 1_000 - 30);
  });

  test('that is no number is refused', async () => {
    const { browser } = await visitor();
    for (const max_age of ['-1', 'x', '1.5', '1e999', 'NaN'])
      expect(parametersOf(await browser.get(client.authorizationUrl({ max_age })))).toMatchObject({
        error: 'invalid_request',
      });
  });
});

describe('acr_values', () => {
  test('with the profile for several factors demand one, and the ID token says so', async () => {
    const { user: weakUser, browser: weak } = await visitor();
    expect((await idClaims(client, weak))['acr']).toBe('https://refeds.org/profile/sfa');
    const silent = await weak.get(client.authorizationUrl({ acr_values: mfa, prompt: 'none' }));
    // The network offers no second factor, so the person cannot satisfy the request.
    expect(parametersOf(silent)).toMatchObject({ error: 'unmet_authentication_requirements' });
    expect(await linesOf(weakUser.id)).toContainEqual({
      status: 'Failed',
      reason: 'the application asked for a stronger sign-in',
      site: client.site.id,
    });
    const { user, code } = await withTotp(testApp);
    const browser = testApp.browser();
    const asked = await browser.get(client.authorizationUrl({ acr_values: mfa }));
    const page = await browser.submit(asked, { email: user.email, password });
    expect(page.url).toContain('/verify');
    expect(parametersOf(await browser.submit(page, { code: code() }))['code']).toBeTruthy();
    expect(await idClaims(client, browser, { acr_values: mfa })).toMatchObject({
      acr: mfa,
      amr: ['pwd', 'otp', 'mfa'],
    });
  });

  test('with an unknown value are ignored, unless the claim is essential', async () => {
    const { browser } = await visitor();
    expect((await idClaims(client, browser, { acr_values: 'urn:unknown' }))['acr']).not.toBe('urn:unknown');
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ['urn:unknown'] } } });
    for (const changes of [{ claims }, { claims, prompt: 'none' }])
      expect(parametersOf(await browser.get(client.authorizationUrl(changes)))).toMatchObject({
        error: expect.stringMatching(/unmet_authentication_requirements|login_required/) as string,
      });
    const known = JSON.stringify({ id_token: { acr: { essential: true, value: 'https://refeds.org/profile/sfa' } } });
    expect((await idClaims(client, browser, { claims: known }))['acr']).toBe('https://refeds.org/profile/sfa');
  });
});

describe('claims', () => {
  test('can be asked for one by one, in the ID token and at the userinfo endpoint', async () => {
    const { user, browser } = await visitor();
    const claims = JSON.stringify({ id_token: { email: null }, userinfo: { given_name: { essential: true } } });
    const answer = await client.exchange(await client.code(browser, undefined, { scope: 'openid', claims }));
    const { id, access } = toTokens(answer);
    expect(claimsIn(id)).toMatchObject({ email: user.email });
    expect(claimsIn(id)['given_name']).toBeUndefined();
    const { body } = await client.userinfo(access);
    expect(body).toEqual({ sub: user.uid, given_name: user.firstname });
  });

  test('that name another person end with login_required', async () => {
    const { browser } = await visitor();
    const other = await makeUser(testApp.db);
    const claims = JSON.stringify({ id_token: { sub: { value: other.uid } } });
    const page = await browser.get(client.authorizationUrl({ claims, prompt: 'none' }));
    expect(parametersOf(page)).toMatchObject({ error: 'login_required' });
    expect(await client.code(browser, other.email, { claims })).toBeTruthy();
  });

  test.for([
    '{',
    '[]',
    'null',
    '"x"',
    '{"id_token":[]}',
    '{"id_token":null}',
    '{}',
    '{"userinfo":1}',
    '{"id_token":{"acr":1}}',
  ])('that are malformed are refused: %s', async (claims) => {
    const { browser } = await visitor();
    expect(parametersOf(await browser.get(client.authorizationUrl({ claims })))).toMatchObject({
      error: 'invalid_request',
    });
  });

  test.for([
    '{"id_token":{"__proto__":{"x":1}}}',
    '{"id_token":{"acr":{"essential":"yes","values":"x"},"sub":{"value":5}}}',
    '{"id_token":{"sub":null,"acr":null},"userinfo":{"constructor":null}}',
  ])('with values of a wrong type are ignored: %s', async (claims) => {
    const { browser } = await visitor();
    expect((await idClaims(client, browser, { claims }))['sub']).toBeTruthy();
  });

  test('of the site come with every sign-on, also from a provider that has just been started', async () => {
    const naming = { friendly_name: '', name_format: 'unspecified' } as const;
    const attributes = [
      { name: 'department', source: 'constant', values: ['Physics'], ...naming },
      { name: 'email', source: 'constant', values: ['root@northlab.org'], ...naming },
      ...['sub', 'iss', 'aud', 'exp', 'acr', 'sid', 'nonce', 'email_verified', 'at_hash'].map((name) => ({
        name,
        source: 'constant' as const,
        values: ['forged'],
        ...naming,
      })),
    ] satisfies (typeof sites.$inferInsert)['attributes'];
    const custom = await OidcClient.of(testApp, { attributes });
    const { user, browser } = await visitor();
    const code = await custom.code(browser);
    // A provider is made again when its network has changed, as in another process.
    await testApp.db.update(networks).set({ name: 'northlab' }).where(eq(networks.name, 'northlab'));
    const { id, access } = toTokens(await custom.exchange(code));
    expect(claimsIn(id)).toMatchObject({ department: 'Physics', sub: user.uid, aud: custom.id });
    expect(JSON.stringify(claimsIn(id))).not.toContain('forged');
    const { body } = await custom.userinfo(access);
    expect(body).toEqual({ sub: user.uid, department: 'Physics', email: 'root@northlab.org' });
    expect(JSON.stringify(await idClaims(client, browser))).not.toContain('department');
  });

  test('of groups are only those to which the site is assigned', async () => {
    const { user, browser } = await visitor();
    const known = await makeGroup(testApp.db, { name: `known ${newUid()}`, users: [user.id] });
    await makeGroup(testApp.db, { name: `secret ${newUid()}`, users: [user.id] });
    const grouped = await OidcClient.of(testApp, { groups: [known.id] });
    expect((await idClaims(grouped, browser))['groups']).toEqual([known.name]);
    expect((await idClaims(grouped, browser, { scope: 'openid' }))['groups']).toBeUndefined();
  });
});

test('a hint of the person is filled in, and is not markup', async () => {
  const page = await testApp.browser().get(client.authorizationUrl({ login_hint: '"><b>ana@northlab.org' }));
  expect(page.form?.fields['email']).toBe('"><b>ana@northlab.org');
  expect(page.html).not.toContain('<b>ana');
});

test('languages, display and unknown parameters change nothing', async () => {
  const { browser } = await visitor();
  const changes = { ui_locales: 'de fr', display: 'popup', claims_locales: 'de', unknown: 'x', audience: 'y' };
  expect(parametersOf(await browser.get(client.authorizationUrl(changes)))['code']).toBeTruthy();
});

describe('the log', () => {
  test('has exactly one line for each sign-on', async () => {
    const { user, browser } = await visitor();
    await client.code(browser);
    await client.code(browser, user.email, { prompt: 'login' });
    expect((await linesOf(user.id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['Success', 'password'],
      ['Success', 'session'],
      ['Success', 'password'],
    ]);
  });

  test.for(['query', 'fragment', 'form_post'])('without its line there is no code by %s', async (response_mode) => {
    const { browser } = await visitor();
    await testApp.db.execute(sql`create function refuse_line() returns trigger language plpgsql as $$
      begin raise exception 'The log cannot be written.'; end $$`);
    await testApp.db.execute(sql`create trigger refuse_line before insert on login_log
      for each row execute function refuse_line()`);
    try {
      const page = await browser.get(client.authorizationUrl({ response_mode }));
      expect([page.status, page.headers['location'], page.form]).toEqual([503, undefined, undefined]);
      expect(page.html).not.toContain('code=');
      expect(page.html).not.toContain('name="code"');
    } finally {
      await testApp.db.execute(sql`drop function refuse_line() cascade`);
    }
  });
});
