import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { activationLinkKey } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

const isConsole = (payload: string) => payload.includes('<div id="root">');
const scriptIn = (payload: string): string => /<script>(.*?)<\/script>/s.exec(payload)?.[1] ?? '';

describe('§2.14 /set-password with a token', () => {
  const url = '/set-password?email=ana%40northlab.org&token=secret-1';

  test('is a page that loads nothing, runs one script and contains nothing of the URL', async () => {
    const { statusCode, headers, payload } = await testApp.app.inject(url);
    expect(statusCode).toBe(200);
    expect(isConsole(payload)).toBe(false);
    expect(payload).not.toMatch(/secret-1|ana|src=|stylesheet|preload|url\(|@import|https?:/);
    expect([...payload.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['data:,']);
    expect(payload).toContain('<noscript>');
    const hash = createHash('sha256').update(scriptIn(payload)).digest('base64');
    expect(String(headers['content-security-policy']).split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      "require-trusted-types-for 'script'",
      `script-src 'sha256-${hash}'`,
      "trusted-types 'none'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.for([
    ['?email=ana%2Bx%40northlab.org&token=a%2Fb', { email: 'ana+x@northlab.org', token: 'a/b' }],
    ['?token=t', { email: '', token: 't' }],
    ['?email=%3C/script%3E&token="</script>', { email: '</script>', token: '"</script>' }],
  ] as const)('its script stores the link and continues without it: %s', async ([search, link]) => {
    const { payload } = await testApp.app.inject(`/set-password${encodeURI(decodeURI(search))}`);
    const steps: string[] = [];
    const stored = new Map<string, string>([[activationLinkKey, 'an earlier link']]);
    runInNewContext(scriptIn(payload), {
      URLSearchParams,
      location: { search, replace: (to: string) => steps.push(`replace ${to}`) },
      history: { replaceState: (_state: unknown, _title: string, to: string) => steps.push(`state ${to}`) },
      sessionStorage: { setItem: (key: string, value: string) => stored.set(key, value) },
      document: {},
    });
    expect(steps).toEqual(['state /set-password', 'replace /set-password']);
    expect(JSON.parse(stored.get(activationLinkKey) ?? '')).toEqual(link);
  });

  test('explains what to do if the browser has no storage', async () => {
    const { payload } = await testApp.app.inject(url);
    const body = { textContent: '' };
    runInNewContext(scriptIn(payload), {
      URLSearchParams,
      location: { search: '?email=a&token=b' },
      history: { replaceState: () => undefined },
      document: { body },
    });
    expect(body.textContent).toContain('open the link in your email again');
  });

  test.for([
    '/set-password/?token=x',
    '/set-password?x=1&token=x',
    '/Set-Password?token=x',
    '//set-password?token=x',
    '/set%2dpassword?token=x',
    '/set-password?to%6ben=x',
    '/set-password?token=',
  ])('in every spelling of the path: %s', async (address) => {
    const { payload } = await testApp.app.inject(address);
    expect(isConsole(payload)).toBe(false);
    expect(scriptIn(payload)).not.toBe('');
  });

  test.for(['/set-password', '/set-password?email=a@b.org', '/set-password/more?token=x', '/profile?token=x'])(
    'the console answers %s',
    async (address) => {
      const { headers, payload } = await testApp.app.inject(address);
      expect(isConsole(payload)).toBe(true);
      expect(headers['cache-control']).toBe('no-cache');
    },
  );

  test('requesting it changes nothing, and other methods are refused', async () => {
    expect((await testApp.app.inject({ method: 'HEAD', url })).statusCode).toBe(200);
    expect((await testApp.app.inject({ method: 'POST', url })).statusCode).toBe(404);
  });
});
