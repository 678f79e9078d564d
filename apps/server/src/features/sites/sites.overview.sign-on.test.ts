import { getSiteHealth, getSiteOverview, type SiteOverview } from '@opensocial/contract';
import { buildAuthnRequest, redirectUrl } from '@opensocial/saml';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog, siteExchanges, type sites } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeGroup, makeSite, makeUser, password, signInto } from '../../testing/app/builders.ts';
import { OidcClient } from '../../testing/app/oidc-client.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';

type Site = Pick<typeof sites.$inferSelect, 'id' | 'identity' | 'acs'>;

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const overviewOf = async ({ id }: Pick<Site, 'id'>): Promise<SiteOverview> => {
  await testApp.parts.exchanges.flush();
  return call(getSiteOverview, { params: { site_id: id } });
};

const ssoUrl = `${testOrigin}/saml/northlab/sso`;

/** Signs in to a SAML site with a request that names an ACS URL. Returns the status of a request that is refused before that. */
const enter = async (site: Site, acsUrl: string, email: string) => {
  const browser = testApp.browser();
  const request = { id: `_${newUid()}`, issuer: site.identity, destination: ssoUrl, acsUrl, issueInstant: new Date() };
  const xml = buildAuthnRequest(request);
  const page = await browser.get(redirectUrl({ location: ssoUrl, kind: 'SAMLRequest', xml }));
  return page.status === 200 ? browser.submit(page, { email, password }) : page;
};

describe('§2.7 the newest sign-in at a SAML site', () => {
  test('that was refused before a person was known is the last failure, with its finding', async () => {
    const [site, { email }] = [await makeSite(testApp.db), await makeUser(testApp.db)];
    expect(await overviewOf(site)).toMatchObject({ sign_on: 'none', last_success: null, last_failure: null });
    await enter(site, `${site.acs}/`, email);
    expect(await overviewOf(site)).toMatchObject({
      sign_on: 'failed',
      last_success: null,
      last_failure: { finding: { code: 'acs_unregistered', is_current: true, place: 'parameters' } },
    });
    await enter(site, site.acs, email);
    expect(await overviewOf(site)).toMatchObject({
      sign_on: 'works',
      last_failure: { finding: { code: 'acs_unregistered' } },
    });
    await enter(site, `${site.acs}/`, email);
    const { sign_on, last_success, last_failure } = await overviewOf(site);
    expect(sign_on).toBe('failed');
    expect(Date.parse(last_failure?.at ?? '')).toBeGreaterThan(Date.parse(last_success?.at ?? ''));
  });

  test('of a person without access is explained, and a mistyped password does not count', async () => {
    const group = await makeGroup(testApp.db);
    const site = await makeSite(testApp.db, { groups: [group.id] });
    const { email } = await makeUser(testApp.db);
    await enter(site, site.acs, email);
    expect(await overviewOf(site)).toMatchObject({
      sign_on: 'failed',
      last_failure: { finding: { code: 'not_in_group', place: 'groups' } },
    });
    const open = await makeSite(testApp.db);
    await enter(open, open.acs, newUid());
    expect(await overviewOf(open)).toMatchObject({ sign_on: 'none', last_failure: { finding: null } });
  });
});

test('§2.7 refused requests are counted in the health of a site, which also says why its address is not checked', async () => {
  const site = await makeSite(testApp.db, { acs: 'http://reports.northlab.org/acs' });
  const { email } = await makeUser(testApp.db);
  const health = async () => {
    await testApp.parts.exchanges.flush();
    return call(getSiteHealth, { params: { site_id: site.id } });
  };
  expect(await health()).toMatchObject({
    unchecked_because: 'The address does not begin with https://.',
    refused_requests: { total: 0, last_at: null },
  });
  await enter(site, `${site.acs}/`, email);
  await enter(site, `${site.acs}/`, email);
  await enter(site, site.acs, email);
  expect(await health()).toMatchObject({
    recent_sign_ins: { total: 1, failed: 0 },
    refused_requests: { total: 2, last_at: expect.stringMatching(/Z$/) },
  });
});

describe('§2.7 the newest sign-in at a site with OpenID Connect', () => {
  test('works only when the application has redeemed its code', async () => {
    const [client, { email }] = [await OidcClient.of(testApp), await makeUser(testApp.db)];
    const code = await client.code(testApp.browser(), email);
    expect(await overviewOf(client.site)).toMatchObject({ sign_on: 'unredeemed', last_success: null });
    await client.exchange(code, {}, client.basic('a wrong secret'));
    expect(await overviewOf(client.site)).toMatchObject({
      sign_on: 'failed',
      last_success: null,
      last_failure: { finding: { code: 'secret_wrong', is_current: true, place: 'secrets' } },
    });
    await client.exchange(code);
    const works = await overviewOf(client.site);
    expect(works.sign_on).toBe('works');
    expect(works.last_success).not.toBeNull();
  });

  test('fails after one that worked', async () => {
    const [client, { email }] = [await OidcClient.of(testApp), await makeUser(testApp.db)];
    const browser = testApp.browser();
    await client.exchange(await client.code(browser, email));
    expect((await overviewOf(client.site)).sign_on).toBe('works');
    await client.exchange(await client.code(browser), {}, client.basic('a wrong secret'));
    const failed = await overviewOf(client.site);
    expect(failed).toMatchObject({ sign_on: 'failed', last_failure: { finding: { code: 'secret_wrong' } } });
    const next = await client.code(browser);
    expect((await overviewOf(client.site)).sign_on).toBe('unredeemed');
    await client.exchange(next);
    expect((await overviewOf(client.site)).sign_on).toBe('works');
  });

  test('is not known to fail by a refresh token that has ended', async () => {
    const [client, { email }] = [await OidcClient.of(testApp), await makeUser(testApp.db)];
    await client.exchange(await client.code(testApp.browser(), email));
    await client.post('token', { grant_type: 'refresh_token', refresh_token: 'ended' });
    expect(await overviewOf(client.site)).toMatchObject({ sign_on: 'works', last_failure: null });
  });

  test('is taken as complete when its exchanges have been deleted after seven days', async () => {
    const [client, { email }] = [await OidcClient.of(testApp), await makeUser(testApp.db)];
    await client.exchange(await client.code(testApp.browser(), email));
    await testApp.parts.exchanges.flush();
    await testApp.db.delete(siteExchanges).where(eq(siteExchanges.site_id, client.site.id));
    expect((await overviewOf(client.site)).sign_on).toBe('unredeemed');
    const ago = new Date(Date.now() - 8 * 86_400_000);
    await testApp.db.update(loginLog).set({ login_time: ago }).where(eq(loginLog.site_id, client.site.id));
    expect(await overviewOf(client.site)).toMatchObject({
      sign_on: 'works',
      last_success: { at: ago.toISOString() },
    });
  });
});
