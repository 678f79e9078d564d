import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkSettings, sites, users } from '../../../database/schema.ts';
import type { Page } from '../../../testing/app/browser.ts';
import { makeSite, makeUser, password } from '../../../testing/app/builders.ts';
import { ServiceProvider } from '../../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

let site: typeof sites.$inferSelect;
let provider: ServiceProvider;
let visit: () => Promise<Page>;
/** A person with a live session who has visited the site twice, so that it is cached. */
beforeEach(async () => {
  site = await makeSite(testApp.db);
  provider = await ServiceProvider.of(testApp, site);
  const { email } = await makeUser(testApp.db);
  const browser = testApp.browser();
  await browser.submit(await browser.get(await provider.signInUrl()), { email, password });
  visit = async () => browser.get(await provider.signInUrl());
  for (let turn = 0; turn < 2; turn += 1)
    if (!(await visit()).html.includes('SAMLResponse')) throw new Error('A live session was not answered.');
});

const change = (changes: Partial<typeof sites.$inferInsert>) =>
  testApp.db.update(sites).set(changes).where(eq(sites.id, site.id));

describe('a cached site', () => {
  test('is closed for the next visitor after it was closed', async () => {
    await change({ site_mode: 'Closed', closed_message: 'Back on Monday.' });
    const { status, html } = await visit();
    expect(status).toBe(403);
    expect(html).toContain('Back on Monday.');
    await change({ site_mode: 'Open' });
    expect((await visit()).html).toContain('SAMLResponse');
  });

  test('gets responses at its new address only', async () => {
    await change({ acs: 'https://moved.northlab.org/acs' });
    expect((await visit()).status).toBe(400);
  });

  test('is unknown after it was deleted', async () => {
    await testApp.db.delete(sites).where(eq(sites.id, site.id));
    const { status, html } = await visit();
    expect(status).toBe(400);
    expect(html).toContain('This application is not registered');
  });

  test("follows its network's settings", async () => {
    const ofNetwork = eq(networkSettings.network_id, site.network_id);
    await testApp.db
      .update(networkSettings)
      .set({ mfa: 'Enable', mfa_options: ['google'] })
      .where(ofNetwork);
    const { status, html } = await visit();
    expect(status).toBe(200);
    expect(html).not.toContain('SAMLResponse');
    await testApp.db.update(networkSettings).set({ mfa: 'Disable' }).where(ofNetwork);
    expect((await visit()).html).toContain('SAMLResponse');
  });

  test('is shown with its current settings at the beginning of a sign-in and during one', async () => {
    const [first, second] = [testApp.browser(), testApp.browser()];
    const page = await first.get(await provider.signInUrl());
    await change({ site_mode: 'Closed', closed_message: 'Back on Tuesday.' });
    expect((await second.get(await provider.signInUrl())).html).toContain('Back on Tuesday.');
    expect((await first.get(page.url)).html).toContain('Back on Tuesday.');
    const { email } = await makeUser(testApp.db);
    expect((await first.submit(page, { email, password })).html).not.toContain('SAMLResponse');
  });
});

test('concurrent requests each get the identity and the site of their own', async () => {
  const places = [await makeSite(testApp.db), await makeSite(testApp.db)];
  const [here = site] = places;
  const arrive = async () => {
    const { email } = await makeUser(testApp.db);
    const browser = testApp.browser();
    const at = await ServiceProvider.of(testApp, here);
    await browser.submit(await browser.get(await at.signInUrl()), { email, password });
    return { email, browser };
  };
  const people = await Promise.all(Array.from({ length: 4 }, arrive));
  const [shutOut] = people;
  await testApp.db
    .update(users)
    .set({ user_mode: 'Disable' })
    .where(eq(users.email, shutOut?.email ?? ''));
  const stranger = { email: 'nobody', browser: testApp.browser() };
  stranger.browser.cookies.set('opensocial_identity', 'a session that has ended');

  const asked = places.flatMap((place) => [...people, stranger].map((person) => ({ ...person, place })));
  const visits = await Promise.all(
    asked.map(async (one) => {
      const at = await ServiceProvider.of(testApp, one.place);
      return { ...one, at, url: await at.signInUrl() };
    }),
  );
  const pages = await Promise.all(visits.map(({ browser, url }) => browser.get(url)));
  const answered = await Promise.all(
    visits.map(async ({ at }, index) => {
      const page = pages[index];
      return page?.form?.fields['SAMLResponse'] ? (await at.receive(page))['email'] : undefined;
    }),
  );
  const awaited = visits.map(({ email }) => ([shutOut?.email, 'nobody'].includes(email) ? undefined : email));
  expect(answered).toEqual(awaited);
});
