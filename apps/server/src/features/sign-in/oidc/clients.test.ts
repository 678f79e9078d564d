import { createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser } from '../../../testing/app/builders.ts';
import { challengeOf, OidcClient, toTokens } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';
import { eventually } from '../../../testing/machine/eventually.ts';

let testApp: TestApp;
let browser: ReturnType<TestApp['browser']>;
let client: OidcClient;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
  browser = testApp.browser();
  await client.code(browser, (await makeUser(testApp.db)).email);
});

const issuer = `${testOrigin}/oidc/northlab`;
const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

describe('a client with a secret', () => {
  test.for([
    ['no secret', () => ({}), () => ({ client_id: client.id })],
    ['a wrong secret in the header', () => client.basic('wrong'), () => ({})],
    ['an empty secret in the header', () => client.basic(''), () => ({})],
    ['the placeholder of the library', () => client.basic('the secret is not stored'), () => ({})],
    ['a wrong secret in the form', () => ({}), () => ({ client_id: client.id, client_secret: 'wrong' })],
    ['an empty secret in the form', () => ({}), () => ({ client_id: client.id, client_secret: '' })],
    ['the id of another client', () => client.basic(), () => ({ client_id: 'another' })],
    ['secrets in both places', () => client.basic(), () => ({ client_id: client.id, client_secret: client.secret })],
  ] as const)('is refused everywhere with %s', async ([, headers, fields]) => {
    const code = await client.code(browser);
    const answer = await client.exchange(code, fields(), headers());
    expect([400, 401]).toContain(answer.status);
    expect(['invalid_client', 'invalid_request']).toContain(answer.body['error']);
    for (const endpoint of ['introspect', 'revoke', 'par'])
      expect([400, 401]).toContain((await client.post(endpoint, { token: 'x', ...fields() }, headers())).status);
    // The code was not used up.
    expect((await client.exchange(code)).status).toBe(200);
  });

  test('cannot use an assertion that is signed with its secret', async () => {
    const assertion = await new SignJWT({ sub: client.id, iss: client.id, jti: randomUUID() })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(issuer)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(new TextEncoder().encode(client.secret));
    const fields = { client_id: client.id, client_assertion: assertion, client_assertion_type: type };
    expect((await client.exchange(await client.code(browser), fields, {})).body['access_token']).toBeUndefined();
  });

  test('does not get the tokens of a client without a secret', async () => {
    const open = await OidcClient.of(testApp, { oidc: { authentication: 'none' } });
    const code = await open.code(browser);
    expect((await client.exchange(code, { redirect_uri: open.redirectUri })).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect((await open.exchange(code, { client_id: open.id }, {})).status).toBe(200);
  });
});

describe('a client with its own key', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicKey = createPublicKey(privateKey);
  let keyed: OidcClient;
  beforeAll(async () => {
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    keyed = await OidcClient.of(testApp, { oidc: { authentication: 'private_key_jwt', jwks: { keys: [jwk] } } });
  });

  const claims = (changes: Record<string, unknown> = {}) => ({
    iss: keyed.id,
    sub: keyed.id,
    aud: issuer,
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1_000),
    exp: Math.floor(Date.now() / 1_000) + 60,
    ...changes,
  });
  const sign = (payload: Record<string, unknown>, header = { alg: 'RS256' }, key = privateKey) =>
    new SignJWT(payload).setProtectedHeader(header).sign(key);
  const exchangeWith = async (assertion: string) =>
    keyed.exchange(
      await keyed.code(browser),
      { client_id: keyed.id, client_assertion: assertion, client_assertion_type: type },
      {},
    );

  test('signs in with an assertion, once, also of several times at once', async () => {
    const assertion = await sign(claims());
    expect((await exchangeWith(assertion)).status).toBe(200);
    expect((await exchangeWith(assertion)).body).toMatchObject({ error: 'invalid_client' });
    const fields = {
      token: 'x',
      client_id: keyed.id,
      client_assertion: await sign(claims()),
      client_assertion_type: type,
    };
    // The lock lets all of them find that the assertion was not used, before one of them stores it.
    const { answers } = await testApp.db.transaction(async (tx) => {
      await tx.execute(sql`lock table oidc_artifacts in share row exclusive mode`);
      const begun = Promise.all(Array.from({ length: 4 }, () => keyed.post('introspect', fields, {})));
      await eventually(async () => {
        const { rows } = await testApp.db.execute(
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(4);
      });
      return { answers: begun };
    });
    expect((await answers).map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401, 401, 401,
    ]);
  });

  test.for([
    ['no signature', async () => new UnsecuredJWT(claims()).encode()],
    [
      'a signature with its public key as a secret',
      async () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(publicKey.export({ format: 'pem', type: 'spki' }).toString())),
    ],
    [
      'another key',
      async () => sign(claims(), { alg: 'RS256' }, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    ['another audience', async () => sign(claims({ aud: 'https://evil.example' }))],
    ['the issuer of another network', async () => sign(claims({ aud: `${testOrigin}/oidc/southlab` }))],
    ['no audience', async () => sign(claims({ aud: undefined }))],
    ['an assertion that has expired', async () => sign(claims({ exp: Math.floor(Date.now() / 1_000) - 60 }))],
    ['no end', async () => sign(claims({ exp: undefined }))],
    ['no id', async () => sign(claims({ jti: undefined }))],
    ['another subject', async () => sign(claims({ sub: client.id }))],
    ['another issuer', async () => sign(claims({ iss: client.id }))],
  ] as const)('is refused with %s', async ([, make]) => {
    const answer = await exchangeWith(await make());
    expect([400, 401]).toContain(answer.status);
    expect(['invalid_client', 'invalid_request']).toContain(answer.body['error']);
  });

  test('is refused with a secret or with nothing', async () => {
    const code = await keyed.code(browser);
    expect((await keyed.exchange(code)).status).toBe(401);
    expect((await keyed.exchange(code, { client_id: keyed.id }, {})).status).toBe(401);
    expect((await keyed.exchange(code, { client_id: keyed.id, client_secret: keyed.secret }, {})).status).toBe(401);
  });
});

describe('a pushed request', () => {
  const fieldsOf = (of: OidcClient, verifier = 'v'.repeat(43)) => ({
    client_id: of.id,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: of.redirectUri,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'pushed',
  });
  const urlOf = (of: OidcClient, request_uri: unknown, more = {}) =>
    `/oidc/northlab/auth?${new URLSearchParams({ client_id: of.id, request_uri: String(request_uri), ...more })}`;

  test('works once, and what the browser adds does not count', async () => {
    const { status, body } = await client.post('par', fieldsOf(client));
    expect(status).toBe(201);
    const more = { scope: 'openid email', redirect_uri: 'https://evil.example/', state: 'changed' };
    const page = await browser.get(urlOf(client, body['request_uri'], more));
    expect(page.url).toMatch(`${client.redirectUri}?`);
    const returned = new URL(page.url).searchParams;
    expect(returned.get('state')).toBe('pushed');
    const tokens = await client.exchange({ code: returned.get('code') ?? '', verifier: 'v'.repeat(43) });
    expect(toTokens(tokens).access).toBeTruthy();
    expect(tokens.body['scope']).toBe('openid');
    const again = await browser.get(urlOf(client, body['request_uri']));
    expect(again.url).not.toContain('code=');
  });

  test('gives one code of several tabs at once', async () => {
    const { body } = await client.post('par', fieldsOf(client));
    const pages = await Promise.all(Array.from({ length: 8 }, () => browser.get(urlOf(client, body['request_uri']))));
    expect(pages.filter(({ url }) => url.includes('code='))).toHaveLength(1);
  });

  test('of another client is refused', async () => {
    const other = await OidcClient.of(testApp);
    const { body } = await client.post('par', fieldsOf(client));
    const page = await browser.get(urlOf(other, body['request_uri']));
    expect(page.url).not.toContain('code=');
    expect(page.url).not.toContain(other.redirectUri);
  });

  test('needs the secret, and a request by its address only is not fetched', async () => {
    expect((await client.post('par', fieldsOf(client), {})).status).toBe(401);
    const page = await browser.get(urlOf(client, 'https://evil.example/request'));
    expect(page.html).toContain('request_uri_not_supported');
  });

  test('is limited for clients without a secret, like sign-ins', async () => {
    const open = await OidcClient.of(testApp, { oidc: { authentication: 'none' } });
    const limited = { ...testApp.parts.budgets };
    Object.assign(testApp.parts.budgets, { signIns: { take: () => 7 } });
    try {
      const answer = await open.post('par', fieldsOf(open), {});
      expect([answer.status, answer.body['error']]).toEqual([429, 'temporarily_unavailable']);
      expect((await client.post('par', fieldsOf(client))).status).toBe(201);
      const again = await browser.get(client.authorizationUrl({ prompt: 'login' }));
      expect(again.html).not.toContain('type="password"');
      expect((await testApp.browser().get(client.authorizationUrl())).status).toBe(429);
    } finally {
      Object.assign(testApp.parts.budgets, limited);
    }
    expect((await open.post('par', fieldsOf(open), {})).status).toBe(201);
  });
});
