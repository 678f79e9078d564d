import { eq } from 'drizzle-orm';
import { SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog } from '../../../database/schema.ts';
import { makeUser } from '../../../testing/app/builders.ts';
import { claimsIn, OidcClient, parametersOf } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';

let testApp: TestApp;
let north: OidcClient;
let south: OidcClient;
let browser: ReturnType<TestApp['browser']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await OidcClient.of(testApp);
  south = await OidcClient.of(testApp, { network: 'southlab' });
  // The person belongs to both networks, so that only the network of the token decides.
  const { email } = await makeUser(testApp.db, { alsoIn: ['southlab'] });
  browser = testApp.browser();
  await north.code(browser, email);
});

/** The client of northlab at the addresses of southlab. */
const strayed = () => new OidcClient(testApp, north, 'southlab');

describe('another network', () => {
  test('does not know the client', async () => {
    const page = await browser.get(strayed().authorizationUrl());
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    expect(page.html).toContain('invalid_client');
    const code = await north.code(browser);
    expect((await strayed().exchange(code)).body).toMatchObject({ error: 'invalid_client' });
    const fields = { client_id: north.id, response_type: 'code', scope: 'openid', redirect_uri: north.redirectUri };
    expect((await strayed().post('par', fields)).body).toMatchObject({ error: 'invalid_client' });
    expect((await north.exchange(code)).status).toBe(200);
  });

  test('accepts neither its codes nor its tokens, and cannot revoke them', async () => {
    const tokens = await north.tokens(browser);
    const code = await north.code(browser);
    const changes = { redirect_uri: north.redirectUri };
    expect((await south.exchange(code, changes)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await south.refresh(tokens.refresh)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await south.userinfo(tokens.access)).status).toBe(401);
    for (const token of [tokens.access, tokens.refresh]) {
      expect(await south.isActive(token)).toBe(false);
      await south.post('revoke', { token });
      expect(await north.isActive(token)).toBe(true);
    }
    expect((await north.userinfo(tokens.access)).status).toBe(200);
  });

  test('does not accept the request address of a pushed request', async () => {
    const fields = { client_id: north.id, response_type: 'code', scope: 'openid', redirect_uri: north.redirectUri };
    const { body } = await north.post('par', fields);
    const request_uri = String(body['request_uri']);
    const page = await browser.get(`/oidc/southlab/auth?${new URLSearchParams({ client_id: south.id, request_uri })}`);
    expect(page.headers['location']).toBeUndefined();
    expect(page.html).toContain('invalid_request_uri');
  });

  test('does not continue its sign-ins', async () => {
    const stranger = testApp.browser();
    const begun = await testApp.app.inject({ url: north.authorizationUrl(), headers: { host: 'localhost:8080' } });
    const uid = /interaction\/([\w-]+)/.exec(String(begun.headers.location))?.[1] ?? '';
    for (const path of [`interaction/${uid}`, `auth/${uid}`]) {
      const cookie = `oidc-interaction=${uid}; oidc-resume=${uid}`;
      const page = await stranger.get(`/oidc/southlab/${path}`, { cookie });
      expect([page.status, page.form]).toEqual([400, undefined]);
    }
  });

  test('has other keys and another subject for sessions', async () => {
    const [ours, theirs] = [await north.tokens(browser), await south.tokens(browser)];
    expect(claimsIn(ours.id)['iss']).toBe(`${testOrigin}/oidc/northlab`);
    expect(claimsIn(theirs.id)['iss']).toBe(`${testOrigin}/oidc/southlab`);
    expect(claimsIn(ours.id)['sid']).not.toBe(claimsIn(theirs.id)['sid']);
    const keysOf = async (network: string) =>
      (await testApp.app.inject(`/oidc/${network}/jwks`))
        .json<{ keys: { kid: string }[] }>()
        .keys.map(({ kid }) => kid);
    const known = new Set(await keysOf('northlab'));
    expect((await keysOf('southlab')).filter((kid) => known.has(kid))).toEqual([]);
  });
});

describe('the hint of an ID token', () => {
  const refused = async (hint: string) => {
    const page = await browser.get(north.authorizationUrl({ id_token_hint: hint }));
    expect(parametersOf(page)).toMatchObject({ error: 'invalid_request', iss: `${testOrigin}/oidc/northlab` });
    expect(parametersOf(page)['code']).toBeUndefined();
  };

  test('is refused if it is of another network, another client, unsigned, or signed with a public key', async () => {
    const { id } = await north.tokens(browser);
    await refused((await south.tokens(browser)).id);
    await refused((await (await OidcClient.of(testApp)).tokens(browser)).id);
    const [, payload = ''] = id.split('.');
    for (const alg of ['none', 'None', 'nOnE'])
      await refused(`${Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url')}.${payload}.`);
    const { keys } = (await testApp.app.inject('/oidc/northlab/jwks')).json<{ keys: { n?: string }[] }>();
    for (const secret of [JSON.stringify(keys[0]), keys[0]?.n ?? 'none', north.secret])
      await refused(
        await new SignJWT(claimsIn(id)).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(secret)),
      );
    await refused(`${id.slice(0, -6)}AAAAAA`);
    await refused('not a token');
  });

  test('of the person who is signed in is accepted, and of another person it is not', async () => {
    const { id } = await north.tokens(browser);
    const hinted = { id_token_hint: id, prompt: 'none' };
    expect(parametersOf(await browser.get(north.authorizationUrl(hinted)))['code']).toBeDefined();
    const other = testApp.browser();
    const { email } = await makeUser(testApp.db);
    await north.code(other, email);
    const refusedPage = await other.get(north.authorizationUrl(hinted));
    expect(parametersOf(refusedPage)).toMatchObject({ error: 'login_required' });
    // Without `prompt=none`, the person may sign in as the one who is named, but not as anybody else.
    const url = north.authorizationUrl({ id_token_hint: id });
    await expect(north.code(other, email, { id_token_hint: id })).rejects.toThrow('error=login_required');
    expect((await other.get(url)).html).toContain('type="password"');
  });
});

test('every answer to an authorization request names the issuer', async () => {
  const iss = `${testOrigin}/oidc/northlab`;
  const requests = [
    {},
    { prompt: 'none' },
    { scope: 'nothing' },
    { response_type: 'token' },
    { response_mode: 'fragment' },
    { claims: '{' },
    { max_age: '-1' },
    { prompt: 'none login' },
    { code_challenge: 'x', code_challenge_method: 'plain' },
    { request: 'e30.e30.' },
    { registration: '{}' },
    { resource: 'https://evil.example' },
  ];
  for (const changes of requests) {
    const page = await browser.get(north.authorizationUrl(changes));
    const outcome = page.status === 303 ? parametersOf(page)['iss'] : `${page.status} ${page.headers['location']}`;
    expect([iss, '400 undefined'], JSON.stringify(changes)).toContain(outcome);
  }
  const stranger = testApp.browser();
  expect(parametersOf(await stranger.get(north.authorizationUrl({ prompt: 'none' })))).toEqual({
    error: 'login_required',
    error_description: 'End-User authentication is required',
    state: 'a state',
    iss,
  });
});

test('a visit of a person who does not belong to the network leaves no line in its log, and is answered as without a session', async () => {
  const { email } = await makeUser(testApp.db);
  const lured = testApp.browser();
  await north.code(lured, email);
  const page = await lured.get(south.authorizationUrl({ prompt: 'none' }));
  const stranger = await testApp.browser().get(south.authorizationUrl({ prompt: 'none' }));
  expect(parametersOf(page)).toEqual(parametersOf(stranger));
  expect(parametersOf(page)['error']).toBe('login_required');
  const asked = await lured.get(south.authorizationUrl());
  expect([asked.status, asked.html]).toEqual([403, expect.stringContaining('have access to')]);
  const lines = await testApp.db.select().from(loginLog).where(eq(loginLog.email, email));
  expect(lines.filter(({ site_id }) => site_id === south.site.id)).toEqual([]);
});
