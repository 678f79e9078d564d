import { beforeAll, describe, expect, test } from 'vitest';
import { Browser } from '../../../testing/app/browser.ts';
import { makeUser, password } from '../../../testing/app/builders.ts';
import { OidcClient, parametersOf } from '../../../testing/app/oidc-client.ts';
import { newSignInUrl, withTotp } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
let client: OidcClient;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp);
});

/** A browser that notes the opener policy of every answer, also of redirects. One that differs ends the connection to the opener. */
const watchedBrowser = () => {
  const policies: string[] = [];
  const browser = new Browser({
    inject: async (options) => {
      const answer = await testApp.app.inject(options);
      const [path = ''] = (options.url as string).split('?');
      const policy = String(answer.headers['cross-origin-opener-policy']);
      policies.push([options.method, path.replaceAll(/\/[\w-]{20,}/g, '/…'), policy].join(' '));
      return answer;
    },
  });
  return { browser, policies };
};

describe('§11 a sign-in in a popup of an application', () => {
  test('keeps the connection to the window that opened it in every answer', async () => {
    const { browser, policies } = watchedBrowser();
    const { user, code } = await withTotp(testApp);
    const query = new URL(client.authorizationUrl(), 'http://x').searchParams;
    const shown = await browser.post('/oidc/northlab/auth', Object.fromEntries(query));
    const refused = await browser.submit(shown, { email: user.email, password: 'wrong' });
    const asked = await browser.submit(refused, { email: user.email, password });
    const wrong = await browser.submit(asked, { code: '000000' });
    const done = await browser.submit(wrong, { code: code() });
    expect(parametersOf(done)['code']).toBeTruthy();
    expect(policies).toEqual([
      'POST /oidc/northlab/auth unsafe-none',
      'GET /oidc/northlab/auth unsafe-none',
      'GET /oidc/northlab/interaction/… unsafe-none',
      'GET /signin/… unsafe-none',
      'POST /signin/… unsafe-none',
      'POST /signin/… unsafe-none',
      'GET /signin/…/verify unsafe-none',
      'POST /signin/…/verify unsafe-none',
      'POST /signin/…/verify unsafe-none',
      'GET /oidc/northlab/auth/… unsafe-none',
    ]);
    policies.length = 0;
    expect(parametersOf(await browser.get(client.authorizationUrl()))['code']).toBeTruthy();
    expect(parametersOf(await browser.get(client.authorizationUrl({ prompt: 'x' })))['error']).toBeTruthy();
    expect(policies).toEqual(['GET /oidc/northlab/auth unsafe-none', 'GET /oidc/northlab/auth unsafe-none']);
  });

  test('is the only place where a page stays connected to a window that opened it', async () => {
    const { browser, policies } = watchedBrowser();
    const { email } = await makeUser(testApp.db);
    await browser.get('/oidc/northlab/auth?client_id=nobody');
    await browser.get('/oidc/northlab/interaction/nothing');
    await browser.get('/signin/nothing');
    await browser.submit(await browser.get(await newSignInUrl(testApp)), { email, password });
    await browser.get('/oidc/northlab/logout');
    await browser.get('/server/saml/logout');
    await browser.get('/');
    expect(policies.length).toBeGreaterThan(8);
    expect(policies.filter((policy) => !policy.endsWith(' same-origin'))).toEqual([]);
  });
});
