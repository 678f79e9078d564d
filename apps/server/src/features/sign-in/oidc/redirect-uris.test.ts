import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser } from '../../../testing/app/builders.ts';
import { OidcClient, parametersOf } from '../../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
let client: OidcClient;
let browser: ReturnType<TestApp['browser']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  client = await OidcClient.of(testApp, {
    oidc: { redirect_uris: ['https://app.northlab.org/Login/callback', 'https://app.northlab.org/q?tenant=1'] },
  });
  browser = testApp.browser();
  await client.code(browser, (await makeUser(testApp.db)).email);
});

const variations = [
  'https://app.northlab.org/Login/callback/',
  'https://app.northlab.org/Login/callbackX',
  'https://app.northlab.org/Login/callback/extra',
  'https://app.northlab.org/Login',
  'https://app.northlab.org/',
  'https://app.northlab.org/Login/../Login/callback',
  'https://app.northlab.org/x/../Login/callback',
  'https://app.northlab.org/Login/./callback',
  'https://app.northlab.org//Login/callback',
  'https://app.northlab.org/Login/%63allback',
  'https://app.northlab.org/Login%2Fcallback',
  'https://app.northlab.org/Login/callback%00',
  'https://app.northlab.org/Login/callback%0d%0aLocation:%20https://evil.example',
  'https://app.northlab.org/Login\\callback',
  'https://app.northlab.org/login/callback',
  'https://app.northlab.org/LOGIN/CALLBACK',
  'https://APP.northlab.org/Login/callback',
  'HTTPS://app.northlab.org/Login/callback',
  'https://app.northlab.org./Login/callback',
  'https://app.northlab.org:443/Login/callback',
  'https://app.northlab.org:8443/Login/callback',
  'http://app.northlab.org/Login/callback',
  'https://app.northlab.org/Login/callback?next=https://evil.example',
  'https://app.northlab.org/Login/callback?',
  'https://app.northlab.org/Login/callback#',
  'https://app.northlab.org/Login/callback#evil',
  'https://app.northlab.org/Login/callback;x=1',
  'https://app.northlab.org/q?tenant=1&tenant=2',
  'https://app.northlab.org/q?tenant=2',
  'https://app.northlab.org/q',
  'https://evil@app.northlab.org/Login/callback',
  'https://app.northlab.org@evil.example/Login/callback',
  'https://app.northlab.org:pass@evil.example/Login/callback',
  'https://evil.example/https://app.northlab.org/Login/callback',
  'https://app.northlab.org.evil.example/Login/callback',
  'https://evil.example#https://app.northlab.org/Login/callback',
  'https://evil.example\\@app.northlab.org/Login/callback',
  '//app.northlab.org/Login/callback',
  '/Login/callback',
  'javascript:alert(1)//app.northlab.org/Login/callback',
  'data:text/html,<script>alert(1)</script>',
  ' https://app.northlab.org/Login/callback',
  'https://app.northlab.org/Login/callback ',
  'https://app.northlab.org/Login/callback\n',
  'https://app.northlab.org/Login/callback,https://evil.example/',
  'https://аpp.northlab.org/Login/callback',
  '',
];

describe('an address that is not exactly a registered one', () => {
  test.for(variations)('gets neither a code nor an error: %j', async (redirect_uri) => {
    for (const changes of [{}, { response_mode: 'form_post' }, { prompt: 'none' }, { scope: 'nothing' }]) {
      const page = await browser.get(client.authorizationUrl({ redirect_uri, ...changes }));
      expect(page.status).toBe(400);
      expect(page.headers['location']).toBeUndefined();
      expect(page.form).toBeUndefined();
      expect(page.html).toContain('This request is not valid');
    }
  });

  test('gets nothing if it is a second parameter', async () => {
    const evil = '&redirect_uri=https%3A%2F%2Fevil.example%2F';
    const page = await browser.get(`${client.authorizationUrl()}${evil}`);
    expect([page.status, page.headers['location']]).toEqual([400, undefined]);
    const posted = await testApp.app.inject({
      method: 'POST',
      url: '/oidc/northlab/auth',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `${client.authorizationUrl().split('?')[1]}${evil}`,
    });
    expect(posted.statusCode).toBe(400);
  });

  test('gets nothing at the token endpoint or in a pushed request either', async () => {
    for (const redirect_uri of variations) {
      const code = await client.code(browser);
      const answer = await client.exchange(code, { redirect_uri });
      expect([redirect_uri, answer.status, answer.body['access_token']]).toEqual([redirect_uri, 400, undefined]);
      const fields = { client_id: client.id, response_type: 'code', scope: 'openid', redirect_uri };
      expect((await client.post('par', fields)).status).toBe(400);
    }
  });

  test('does not become the other registered one when the code is exchanged', async () => {
    const code = await client.code(browser);
    const [, redirect_uri = ''] = client.site.oidc?.redirect_uris ?? [];
    expect((await client.exchange(code, { redirect_uri })).body).toMatchObject({ error: 'invalid_grant' });
  });
});

test('the registered addresses work, and keep their query', async () => {
  const page = await browser.get(client.authorizationUrl({ redirect_uri: 'https://app.northlab.org/q?tenant=1' }));
  expect(page.url).toMatch(/^https:\/\/app\.northlab\.org\/q\?tenant=1&code=/);
  expect(parametersOf(page)).toMatchObject({ state: 'a state', iss: 'http://localhost:8080/oidc/northlab' });
});

test('no address at all is refused, also if only one is registered', async () => {
  const single = await OidcClient.of(testApp);
  const page = await browser.get(single.authorizationUrl({ redirect_uri: undefined }));
  expect(page.status).toBe(400);
  expect(page.headers['location']).toBeUndefined();
});
