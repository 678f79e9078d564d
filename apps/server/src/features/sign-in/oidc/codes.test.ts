import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser } from '../../../testing/app/builders.ts';
import { challengeOf, OidcClient, parametersOf, toTokens } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
let client: OidcClient;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
});

/** A browser in which a person is signed in. */
const visitor = async () => {
  const { email, uid } = await makeUser(testApp.db);
  const browser = testApp.browser();
  await client.code(browser, email);
  return { browser, uid };
};

describe('an authorization code', () => {
  test('is exchanged once of 20 times at once, and using it again ends its tokens', async () => {
    const { browser } = await visitor();
    const code = await client.code(browser, undefined, { scope: 'openid offline_access' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.exchange(code)));
    const [first, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(answers.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(19);
    const tokens = first && toTokens(first);
    expect((await client.exchange(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await client.userinfo(tokens?.access ?? '')).status).toBe(401);
    expect(await client.isActive(tokens?.access ?? '')).toBe(false);
    expect((await client.refresh(tokens?.refresh ?? '')).body).toMatchObject({ error: 'invalid_grant' });
  });

  test('of another client is refused, and still works for its own', async () => {
    const { browser } = await visitor();
    const other = await OidcClient.of(testApp);
    const code = await client.code(browser);
    const changes = { redirect_uri: client.redirectUri };
    expect((await other.exchange(code, changes)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await client.exchange(code)).status).toBe(200);
  });

  test.for([
    ['another verifier', { code_verifier: 'v'.repeat(43) }],
    ['an empty verifier', { code_verifier: '' }],
    ['the challenge as the verifier', 'challenge'],
    ['another redirect address', { redirect_uri: 'https://app.example/callback' }],
    ['no redirect address', { redirect_uri: '' }],
  ] as const)('is refused with %s', async ([, changes]) => {
    const { browser } = await visitor();
    const code = await client.code(browser);
    const given = changes === 'challenge' ? { code_verifier: challengeOf(code.verifier) } : changes;
    const answer = await client.exchange(code, given);
    expect(answer.status).toBe(400);
    expect(answer.body['access_token']).toBeUndefined();
  });

  test('is not accepted as another kind of token', async () => {
    const { browser } = await visitor();
    const { code } = await client.code(browser);
    expect((await client.userinfo(code)).status).toBe(401);
    expect((await client.refresh(code)).body).toMatchObject({ error: 'invalid_grant' });
    expect(await client.isActive(code)).toBe(false);
  });
});

describe('PKCE', () => {
  const withoutChallenge = { code_challenge: undefined, code_challenge_method: undefined };

  test.for([
    ['a client without a secret', { authentication: 'none' }],
    ['a client that has to use it', { requires_pkce: true }],
  ] as const)('is required of %s, also in pushed requests', async ([, oidc]) => {
    const { browser } = await visitor();
    const strict = await OidcClient.of(testApp, { oidc });
    const page = await browser.get(strict.authorizationUrl());
    expect(parametersOf(page)).toMatchObject({ error: 'invalid_request', state: 'a state' });
    expect(parametersOf(page)['code']).toBeUndefined();
    const fields = { client_id: strict.id, redirect_uri: strict.redirectUri, response_type: 'code', scope: 'openid' };
    const pushed = await strict.post('par', fields, 'authentication' in oidc ? {} : undefined);
    expect(pushed.body).toMatchObject({ error: 'invalid_request' });
  });

  test('accepts only S256', async () => {
    const { browser } = await visitor();
    for (const method of ['plain', 'S512', '']) {
      const page = await browser.get(
        client.authorizationUrl({ code_challenge: 'v'.repeat(43), code_challenge_method: method }),
      );
      expect(parametersOf(page)).toMatchObject({ error: 'invalid_request' });
    }
    // A challenge without a method would be `plain`.
    const page = await browser.get(client.authorizationUrl({ code_challenge: 'v'.repeat(43) }));
    expect(parametersOf(page)).toMatchObject({ error: 'invalid_request' });
  });

  test('is not skipped by leaving the challenge or the verifier out', async () => {
    const { browser } = await visitor();
    const unprotected = await client.code(browser, undefined, withoutChallenge);
    expect((await client.exchange(unprotected)).body).toMatchObject({ error: 'invalid_grant' });
    const { code } = await client.code(browser);
    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    expect((await client.post('token', fields)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a refresh token', () => {
  test('is replaced each time, and using an old one ends all tokens', async () => {
    const { browser } = await visitor();
    const first = await client.tokens(browser);
    const second = toTokens(await client.refresh(first.refresh));
    expect(second.refresh).not.toBe(first.refresh);
    expect((await client.userinfo(second.access)).status).toBe(200);
    expect((await client.refresh(first.refresh)).body).toMatchObject({ error: 'invalid_grant' });
    for (const { access, refresh } of [first, second]) {
      expect((await client.userinfo(access)).status).toBe(401);
      expect(await client.isActive(access)).toBe(false);
      expect(await client.isActive(refresh)).toBe(false);
      expect((await client.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('is exchanged once of 20 times at once', async () => {
    const { browser } = await visitor();
    const { refresh } = await client.tokens(browser);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.refresh(refresh)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(answers.filter(({ body }) => body['error'] === 'invalid_grant').length).toBeGreaterThanOrEqual(19);
  });

  test('of another client is refused, and gives no more scopes than it had', async () => {
    const { browser } = await visitor();
    const other = await OidcClient.of(testApp);
    const { refresh } = await client.tokens(browser, undefined, { scope: 'openid offline_access' });
    expect((await other.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
    const answer = await client.refresh(refresh, { scope: 'openid email' });
    expect(answer.body).toMatchObject({ error: 'invalid_scope' });
    expect((await client.refresh(refresh)).status).toBe(200);
  });

  test('exists only if the request asks for offline access', async () => {
    const { browser } = await visitor();
    const answer = await client.exchange(await client.code(browser));
    expect(answer.body['refresh_token']).toBeUndefined();
  });

  test('ends with its access tokens when it is revoked, and another client cannot revoke it', async () => {
    const { browser } = await visitor();
    const other = await OidcClient.of(testApp);
    const { access, refresh } = await client.tokens(browser);
    await other.post('revoke', { token: refresh });
    await other.post('revoke', { token: access });
    expect(await other.isActive(refresh)).toBe(false);
    expect(await client.isActive(refresh)).toBe(true);
    expect((await client.post('revoke', { token: refresh })).status).toBe(200);
    expect((await client.userinfo(access)).status).toBe(401);
    expect((await client.refresh(refresh)).body).toMatchObject({ error: 'invalid_grant' });
  });
});
