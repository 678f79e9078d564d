import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { oidcKeys } from '../../../database/schema.ts';
import { makeUser, networkNamed } from '../../../testing/app/builders.ts';
import { OidcClient, parametersOf } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { makeKey } from './keys.ts';

let testApp: TestApp;
let client: OidcClient;
let browser: ReturnType<TestApp['browser']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
  browser = testApp.browser();
  await client.code(browser, (await makeUser(testApp.db)).email);
});

const base = '/oidc/northlab';
const get = (path: string, headers: Record<string, string> = {}) =>
  testApp.app.inject({ url: `${base}/${path}`, headers });

describe('the discovery document', () => {
  test('announces what exists, and nothing of what sites are told about people', async () => {
    const document = (await get('.well-known/openid-configuration')).json<Record<string, unknown>>();
    const issuer = `${testOrigin}${base}`;
    expect(document).toMatchObject({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(document['registration_endpoint']).toBeUndefined();
    expect(document['device_authorization_endpoint']).toBeUndefined();
    expect(JSON.stringify(document)).not.toMatch(/HS256|"plain"|"implicit"/);
  });

  test.for(['.well-known/openid-configuration', 'jwks'])('%s may be cached and read by any origin', async (path) => {
    const answer = await get(path, { origin: 'https://app.example' });
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers['access-control-allow-origin']).toBeDefined();
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    expect(answer.headers['content-type']).toMatch(/json/);
    const head = await testApp.app.inject({ method: 'HEAD', url: `${base}/${path}` });
    expect([head.statusCode, head.payload]).toEqual([200, '']);
  });

  test('has an answer for the preflight requests of browsers', async () => {
    for (const [path, method] of [
      ['token', 'POST'],
      ['userinfo', 'GET'],
      ['jwks', 'GET'],
      ['revoke', 'POST'],
    ] as const) {
      const headers = { origin: 'https://app.example', 'access-control-request-method': method };
      const answer = await testApp.app.inject({ method: 'OPTIONS', url: `${base}/${path}`, headers });
      expect([path, answer.statusCode]).toEqual([path, 204]);
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('another origin than those of the client cannot use its tokens in a browser', async () => {
    const { access } = await client.tokens(browser);
    const read = async (origin: string) =>
      (await get('userinfo', { authorization: `Bearer ${access}`, origin })).headers['access-control-allow-origin'];
    expect(await read(new URL(client.redirectUri).origin)).toBe(new URL(client.redirectUri).origin);
    expect(await read('https://evil.example')).toBeUndefined();
    expect(await read('null')).toBeUndefined();
  });
});

test('the keys are published without their private parts, the next and retired ones too', async () => {
  const network = await networkNamed(testApp.db, 'southlab');
  for (const state of ['next', 'retired'] as const)
    await testApp.db
      .insert(oidcKeys)
      .values({ ...(await makeKey(testApp.parts, 'ES256')), network_id: network.id, state });
  const { keys } = (await testApp.app.inject('/oidc/southlab/jwks')).json<{ keys: Record<string, unknown>[] }>();
  expect(keys.filter(({ alg }) => alg === 'ES256')).toHaveLength(3);
  expect(keys.filter(({ alg }) => alg === 'RS256')).toHaveLength(1);
  const allowed = new Set(['kty', 'use', 'alg', 'kid', 'n', 'e', 'crv', 'x', 'y']);
  for (const key of keys) expect(Object.keys(key).filter((name) => !allowed.has(name))).toEqual([]);
});

test('every answer has the headers that protect it', async () => {
  const { access } = await client.tokens(browser);
  const answers = [
    await get('.well-known/openid-configuration'),
    await get('jwks'),
    await get('userinfo', { authorization: `Bearer ${access}` }),
    await get('userinfo'),
    await get('auth?client_id=unknown'),
    await get('nothing'),
    await testApp.app.inject({ method: 'POST', url: `${base}/token` }),
    await testApp.app.inject(client.authorizationUrl()),
  ];
  for (const { headers } of answers) {
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
  }
  for (const { headers } of answers.slice(2)) expect(headers['cache-control']).toMatch(/no-store/);
});

describe('the answer to an authorization request', () => {
  test('is in the query, in the fragment or in a form, as the request says', async () => {
    const query = await browser.get(client.authorizationUrl({ response_mode: 'query' }));
    expect(new URL(query.url).searchParams.get('code')).toBeTruthy();
    const fragment = await browser.get(client.authorizationUrl({ response_mode: 'fragment' }));
    expect(new URL(fragment.url).search).toBe('');
    expect(parametersOf(fragment)['code']).toBeTruthy();
    const refused = await browser.get(client.authorizationUrl({ response_mode: 'web_message' }));
    expect(parametersOf(refused)).toMatchObject({ error: 'unsupported_response_mode' });
  });

  test('is a form whose script its policy allows, and no other script', async () => {
    const state = '"><script>alert(1)</script>';
    const page = await browser.get(client.authorizationUrl({ response_mode: 'form_post', state }));
    expect(page.form).toMatchObject({ action: client.redirectUri, method: 'post' });
    expect(page.form?.fields).toMatchObject({ state, iss: `${testOrigin}${base}` });
    expect(page.form?.fields['code']).toBeTruthy();
    const scripts = [...page.html.matchAll(/<script[^>]*>([^]*?)<\/script>/g)].map(([, text = '']) => text);
    expect(scripts).toHaveLength(1);
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64');
    const policy = page.headers['content-security-policy'] ?? '';
    expect(/script-src ([^;]*)/.exec(policy)?.[1]?.trim()).toBe(`'sha256-${hash}'`);
    expect(policy).not.toContain('form-action');
    expect(page.headers['cache-control']).toBe('no-store');
  });
});

describe('what does not exist', () => {
  test.for(['token', 'id_token', 'code token', 'code id_token', 'code id_token token', 'id_token token', 'none'])(
    'response type %s',
    async (response_type) => {
      const page = await browser.get(client.authorizationUrl({ response_type, nonce: 'n' }));
      expect(parametersOf(page)).toMatchObject({ error: 'unsupported_response_type' });
      expect(page.url).not.toMatch(/access_token|id_token=/);
    },
  );

  test.for([
    'password',
    'client_credentials',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:openid:params:grant-type:ciba',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'implicit',
    '__proto__',
    'constructor',
  ])('grant type %s', async (grant_type) => {
    const answer = await client.post('token', { grant_type, username: 'a', password: 'b', scope: 'openid' });
    expect(answer.status).toBe(400);
    expect(['unsupported_grant_type', 'unauthorized_client', 'invalid_request']).toContain(answer.body['error']);
  });

  test.for([
    ['GET', 'reg'],
    ['POST', 'reg'],
    ['POST', 'device/auth'],
    ['GET', 'device'],
    ['POST', 'backchannel'],
    ['GET', 'session/end'],
    ['POST', 'session/end/confirm'],
    ['GET', 'AUTH'],
    ['GET', 'Auth/x'],
    ['POST', 'TOKEN'],
    ['GET', 'token'],
    ['DELETE', 'token'],
    ['PUT', 'userinfo'],
    ['POST', 'auth/x'],
    ['GET', 'auth/x/y'],
    ['GET', 'nothing'],
    ['GET', ''],
    ['GET', '.well-known/x'],
    ['GET', '//evil.example'],
  ] as const)('%s %s', async ([method, path]) => {
    const answer = await testApp.app.inject({ method, url: `${base}/${path}`, headers: { accept: 'text/html' } });
    expect(answer.statusCode).toBe(404);
    expect(answer.payload).not.toContain('invalid_request');
  });

  test('a network that does not exist, or whose name is spelled otherwise', async () => {
    for (const name of ['nothing', 'NORTHLAB', '%00', '%2e%2e%2fnorthlab', 'northlab%2f..'])
      for (const path of ['jwks', 'auth', 'userinfo'])
        expect([name, (await testApp.app.inject(`/oidc/${name}/${path}`)).statusCode]).not.toEqual([name, 200]);
    // The same name with an escaped letter is the same network.
    expect((await testApp.app.inject('/oidc/%6eorthlab/jwks')).statusCode).toBe(200);
  });
});

describe('requests that are too large or broken', () => {
  test('are refused by the token endpoint', async () => {
    const large = await client.post('token', { grant_type: 'authorization_code', code: 'x'.repeat(200_000) });
    expect([400, 413]).toContain(large.status);
    for (const payload of ['', '{"grant_type":"x"}', '\0', '%', 'grant_type=a&grant_type=b', 'a'.repeat(3_000_000)]) {
      const answer = await client.post('token', payload);
      expect([400, 413]).toContain(answer.status);
    }
    const json = await client.post('token', '{}', { ...client.basic(), 'content-type': 'application/json' });
    expect(json.status).toBe(400);
  });

  test('a long state and a long nonce return unchanged', async () => {
    const [state, nonce] = ['s'.repeat(5_000), 'n'.repeat(5_000)];
    const code = await client.code(browser, undefined, { state, nonce });
    expect((await client.exchange(code)).status).toBe(200);
    const page = await browser.get(client.authorizationUrl({ state }));
    expect(parametersOf(page)['state']).toBe(state);
  });

  test('a value that a database cannot store is refused', async () => {
    const url = `${client.authorizationUrl({ prompt: 'login' })}&nonce=%00`;
    expect([400, 303]).toContain((await browser.get(url)).status);
    const answer = await client.exchange({ code: '\0', verifier: 'v'.repeat(43) });
    expect(answer.status).toBe(400);
    expect((await client.userinfo('a'.repeat(8_000))).status).toBe(401);
  });
});

test('nothing that a request sends becomes markup on a page', async () => {
  const payload = '"\'><script>alert(1)</script><img src=x onerror=alert(1)>';
  const names = ['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'prompt', 'claims'];
  names.push('request_uri', 'request', 'max_age', 'ui_locales', 'login_hint', 'acr_values', 'id_token_hint', 'display');
  for (const name of names)
    for (const visitor of [browser, testApp.browser()]) {
      const page = await visitor.get(client.authorizationUrl({ [name]: payload }));
      expect([name, page.html.includes('<script>alert'), page.html.includes('<img src=x')]).toEqual([
        name,
        false,
        false,
      ]);
    }
  const header = await get(`userinfo?access_token=${encodeURIComponent(payload)}`, { accept: 'text/html' });
  expect(header.payload).not.toContain('<script>alert');
});
