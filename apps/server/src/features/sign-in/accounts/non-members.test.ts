import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginLog, networkSettings, sites, throttles } from '../../../database/schema.ts';
import type { Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, networkNamed, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { postForm } from '../../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { testOrigin } from '../../../testing/app/test-parts.ts';

/** All people here belong to northlab. The owners of southlab read its login log and must not learn who visits their pages. */
let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await setSouthlab({ mfa: 'Disable', mfa_options: [] });
});

const setSouthlab = async (changes: Partial<typeof networkSettings.$inferSelect>) => {
  const { id } = await networkNamed(testApp.db, 'southlab');
  await testApp.db.update(networkSettings).set(changes).where(eq(networkSettings.network_id, id));
};
const lure = (draft: Parameters<typeof makeSite>[1] = {}) => makeSite(testApp.db, { network: 'southlab', ...draft });
const start = (site: { id: number }) => `/saml/southlab/start/${site.id}`;
const lines = (site: { id: number }) =>
  testApp.db.select().from(loginLog).where(eq(loginLog.site_id, site.id)).orderBy(loginLog.id);

/** A browser in which a member of northlab is signed in. */
const visitor = async (draft: Parameters<typeof makeUser>[1] = {}) => {
  const user = await makeUser(testApp.db, draft);
  const site = await makeSite(testApp.db);
  const browser = testApp.browser();
  await browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), { email: user.email, password });
  expect(browser.cookies.has('opensocial_identity')).toBe(true);
  return { user, browser };
};

/** A SAML response without ids, times, digests and signatures, which differ each time. */
const answerOn = (page: Page) =>
  Buffer.from(page.form?.fields['SAMLResponse'] ?? '', 'base64')
    .toString()
    .replaceAll(/\b(ID|InResponseTo|IssueInstant|URI)="[^"]*"/g, '$1')
    .replaceAll(/<(ds:)?(DigestValue|SignatureValue)>[^<]*/g, '');

describe('a person with a session who is sent to a site of another network', () => {
  test('is refused without a line in the login log of that network', async () => {
    const { browser } = await visitor();
    const site = await lure();
    const page = await browser.get(start(site), { 'sec-fetch-site': 'cross-site' });
    expect(page.status).toBe(403);
    expect(page.html).toContain('have access to');
    expect(await lines(site)).toEqual([]);
  });

  test('is not asked for a second factor first', async () => {
    await setSouthlab({ mfa: 'Enable', mfa_options: ['email'] });
    const { browser } = await visitor();
    const site = await lure();
    expect((await browser.get(start(site))).status).toBe(403);
    expect(await lines(site)).toEqual([]);
  });

  test.for([false, true])(
    'is answered as without a session where the request is passive, site closed: %s',
    async (closed) => {
      const site = await lure(closed ? { site_mode: 'Closed' } : {});
      const entryPoint = `${testOrigin}/saml/southlab/sso`;
      const provider = await ServiceProvider.of(testApp, site, { passive: true, entryPoint });
      const nobody = answerOn(await testApp.browser().get(await provider.signInUrl()));
      const { browser } = await visitor();
      expect(answerOn(await browser.get(await provider.signInUrl()))).toBe(nobody);
      expect(nobody).toContain('NoPassive');
      expect(await lines(site)).toEqual([]);
    },
  );
});

describe('the line in the login log of a person who signs in at a network without being a member', () => {
  test('has the address that was typed there, and not the account', async () => {
    const user = await makeUser(testApp.db);
    const site = await lure();
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(start(site)), { email: user.email, password });
    expect(page.status).toBe(403);
    expect(await lines(site)).toMatchObject([
      { reason: 'not a member of the network', email: user.email, user_id: null, mfa: null },
    ]);
  });

  test('has no address if it was typed at the main network', async () => {
    const user = await makeUser(testApp.db);
    const site = await lure({ auth_options: ['opensocial'] });
    const browser = testApp.browser();
    const main = await postForm(browser, await browser.get(start(site)), 'with/opensocial');
    expect((await browser.submit(main, { email: user.email, password })).status).toBe(403);
    expect(await lines(site)).toMatchObject([
      { reason: 'not a member of the network', email: null, user_id: null, mfa: null },
    ]);
  });

  test('has no address if the site stops offering the main network in the meantime', async () => {
    const user = await makeUser(testApp.db);
    const site = await lure({ auth_options: ['opensocial'] });
    const browser = testApp.browser();
    const main = await postForm(browser, await browser.get(start(site)), 'with/opensocial');
    await testApp.db.update(sites).set({ auth_options: [] }).where(eq(sites.id, site.id));
    expect((await browser.submit(main, { email: user.email, password })).status).toBe(403);
    expect(await lines(site)).toMatchObject([
      { reason: 'login type not offered', email: null, user_id: null, mfa: null },
    ]);
  });

  test('does not disclose which second factor the account has', async () => {
    const user = await makeUser(testApp.db, { email_mfa: true });
    const site = await lure();
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(start(site)), { email: user.email, password });
    expect(page.url).toContain('/verify');
    await postForm(browser, page, 'verify', { code: '000000', factor: 'email' });
    expect(await lines(site)).toMatchObject([
      { reason: 'unknown address', email: user.email, user_id: null, mfa: null },
    ]);
  });
});

describe('refusals beyond the limit of an address write no lines to the login log', () => {
  test.for([
    ['a passkey', 'passkey', { answer: '{}' }],
    ['a login that is not offered', 'with/opensocial', {}],
    ['a provider that is not offered', 'with/google', {}],
  ] as const)('%s', async ([, step, fields]) => {
    const site = await makeSite(testApp.db);
    const browser = testApp.browser();
    const page = await browser.get(`/saml/northlab/start/${site.id}`);
    const statuses: number[] = [];
    for (let post = 0; post < 130; post += 1) statuses.push((await postForm(browser, page, step, fields)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30);
    expect(await lines(site)).toHaveLength(100);
  });

  test('a known device that has reached its limit', async () => {
    const user = await makeUser(testApp.db);
    const site = await makeSite(testApp.db);
    const browser = testApp.browser();
    await browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), { email: user.email, password });
    browser.cookies.delete('opensocial_identity');
    const page = await browser.get(`/saml/northlab/start/${site.id}`);
    for (let guess = 0; guess < 130; guess += 1) await browser.submit(page, { email: user.email, password: 'a guess' });
    const failed = (await lines(site)).filter(({ login_status }) => login_status === 'Failed');
    expect(failed).toHaveLength(110);
  });
});
