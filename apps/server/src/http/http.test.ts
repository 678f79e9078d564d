import type { ErrorAnswer } from '@opensocial/contract';
import Fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import { startupErrorMessage } from '../process/startup-error.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { installStaticFiles } from './static-files.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const json = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };

describe('every response', () => {
  test.for([
    ['GET', '/', 200],
    ['HEAD', '/', 200],
    ['OPTIONS', '/', 404],
    ['GET', '/any/screen', 200],
    ['GET', '/set-password?email=a@b.org&token=x', 200],
    ['GET', '/nothing.js', 200],
    ['GET', '/favicon.svg', 200],
    ['GET', '/healthz', 200],
    ['GET', '/readyz', 200],
    ['GET', '/server/getsession', 200],
    ['GET', '/server/docs', 200],
    ['GET', '/server/openapi.json', 200],
    ['GET', '/server/saml/login', 303],
    ['GET', '/server/sso_images/image/nothing', 404],
    ['GET', '/saml/opensocial/metadata', 200],
    ['GET', '/saml/opensocial/sso', 400],
    ['POST', '/saml/opensocial/sso', 200],
    ['GET', '/saml/nothing/metadata', 404],
    ['GET', '/oidc/opensocial/.well-known/openid-configuration', 200],
    ['GET', '/oidc/opensocial/auth', 400],
    ['POST', '/oidc/opensocial/token', 400],
  ] as const)('%s %s has strict headers', async ([method, url, status]) => {
    const { headers, statusCode } = await testApp.app.inject({ method, url });
    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).toContain("base-uri 'none'");
    expect(headers['strict-transport-security']).toBeUndefined();
  });

  test('on https has HSTS, and its cookies are bound to the host', async () => {
    const https = await buildTestApp({ PUBLIC_URL: 'https://sso.northlab.org' });
    const answer = await https.app.inject({ url: '/server/saml/login', headers: { host: 'sso.northlab.org' } });
    expect(answer.headers['strict-transport-security']).toMatch(/max-age=31536000/);
    expect(answer.headers['set-cookie']).toMatch(/^__Host-login-\w+=.*; Path=\/; HttpOnly; Secure; SameSite=Lax/);
  });
});

describe('bad requests get a short response without a stack trace', () => {
  test.for([
    ['no JSON', { method: 'POST', url: '/prxy/api/user/verify_token', headers: json, payload: '{' }, 400],
    [
      'another content type',
      {
        method: 'POST',
        url: '/prxy/api/user/verify_token',
        headers: { ...json, 'content-type': 'text/csv' },
        payload: 'a,b',
      },
      400,
    ],
    [
      'a body of 100 kB',
      {
        method: 'POST',
        url: '/prxy/api/user/verify_token',
        headers: json,
        payload: JSON.stringify({ email: 'x'.repeat(100_000) }),
      },
      413,
    ],
    [
      'a key that reaches for the prototype',
      {
        method: 'POST',
        url: '/prxy/api/user/verify_token',
        headers: json,
        payload: '{"__proto__":{"a":1},"email":"a@b.org","code":"c"}',
      },
      400,
    ],
    [
      'a field nobody declared',
      {
        method: 'POST',
        url: '/prxy/api/user/verify_token',
        headers: json,
        payload: '{"email":"a@b.org","code":"c","more":1}',
      },
      400,
    ],
    ['a path nobody serves', { method: 'GET', url: '/server/nothing' }, 404],
    ['a method nobody serves', { method: 'DELETE', url: '/server/getsession' }, 404],
    ['broken percent signs', { method: 'GET', url: '/server/sso/owner/%E0%A4%A' }, 400],
  ] as const)('%s', async ([, request, status]) => {
    const answer = await testApp.app.inject(request as never);
    expect(answer.statusCode).toBe(status);
    expect(answer.payload).not.toMatch(/node_modules|at |\.ts/);
    const { code, error, message } = answer.json<ErrorAnswer>();
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(answer.json()).toEqual({ code, error, message });
    expect(error).toBe(message);
  });

  test("§8 errors: 'auth_required' is the one error that is spelled as its code", async () => {
    const answer = await testApp.app.inject('/server/sso/servers/ana@northlab.org/0');
    expect(answer.json()).toEqual({ code: 'auth_required', error: 'auth_required', message: 'Please sign in.' });
  });
});

describe('the console', () => {
  test('is served for every screen without caching, and its assets are immutable', async () => {
    const page = await testApp.app.inject('/sso-servers/northlab/sites');
    expect(page.statusCode).toBe(200);
    expect(page.headers['cache-control']).toBe('no-cache');
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.payload)?.[1] ?? '';
    const asset = await testApp.app.inject({ url: script, headers: { 'accept-encoding': 'br' } });
    expect(asset.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  test.for(['/sso-servers/%E0%A4%A', '/%', '/sso-servers/%ff/sites?search=%E0%A4%A'])(
    'is served for %s too, which cannot be decoded',
    async (url) => {
      const page = await testApp.app.inject({ url, headers: { accept: 'text/html' } });
      expect(page.statusCode).toBe(200);
      expect(page.headers['content-security-policy']).toContain("default-src 'none'");
      expect(page.payload).toContain('<div id="root">');
    },
  );

  test('that is not built stops the start with a message', async () => {
    const missing = installStaticFiles(Fastify(), '/nowhere/');
    expect(await missing.catch(startupErrorMessage)).toBe('The console is not built. Run: npm run build');
  });

  test.for([
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/index.html.br',
    '/signin/assets/../index.js',
    '/assets/.built',
    '/.built',
    '/.built-the-console',
    '/assets/nothing.js',
  ])('%s is not found', async (url) => {
    const answer = await testApp.app.inject(url);
    expect(answer.payload).not.toMatch(/"version"|createElement/);
    expect(answer.headers['content-type']).not.toMatch(/javascript/);
  });
});

describe('§10 health', () => {
  test('reports liveness and readiness', async () => {
    expect((await testApp.app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await testApp.app.inject('/readyz')).json()).toEqual({ status: 'ready', database: 'ok', draining: false });
  });

  test('measures by route and not by URL, and shows no metrics on the public port', async () => {
    await testApp.app.inject('/server/sso/owner/some-secret-name');
    const metrics = await testApp.app.metrics.metrics();
    expect(metrics).toContain('route="/server/sso/owner/{server}"');
    expect(metrics).not.toContain('some-secret-name');
    for (const url of ['/metrics', '/metrics/', '/metrics?x', '//metrics', '/METRICS'])
      for (const remoteAddress of ['127.0.0.1', '10.0.0.8']) {
        const { payload } = await testApp.app.inject({ url, remoteAddress });
        expect(payload).not.toContain('http_request_duration_seconds');
      }
  });
});
