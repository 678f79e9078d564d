import { getSiteOverview } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { loginLog, signingKeys } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await buildTestApp();
});

test('§2.7 single sign-on does not show the certificate of a key that does not sign yet', async () => {
  const network = 'southlab';
  const owner = await makeUser(testApp.db, { network, owns: [network] });
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const site = await makeSite(testApp.db, { network, certificate: null });
  const { id: networkId } = await networkNamed(testApp.db, network);
  const overview = () => call(getSiteOverview, { params: { site_id: site.id } });
  expect((await overview()).certificates).toMatchObject([{ use: 'identity_provider' }]);
  await testApp.db.update(signingKeys).set({ state: 'next' }).where(eq(signingKeys.network_id, networkId));
  expect((await overview()).certificates).toEqual([]);
});

test('§2.7 single sign-on counts the groups of this site only', async () => {
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const groups = [await makeGroup(testApp.db), await makeGroup(testApp.db)];
  const site = await makeSite(testApp.db, { groups: groups.map(({ id }) => id) });
  const other = await makeSite(testApp.db, { groups: groups.slice(0, 1).map(({ id }) => id) });
  expect(await call(getSiteOverview, { params: { site_id: site.id } })).toMatchObject({ groups: 2 });
  expect(await call(getSiteOverview, { params: { site_id: other.id } })).toMatchObject({ groups: 1 });
});

test('§2.7 single sign-on searches only the last lines of the log, so that failures cannot make it slow', async () => {
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  const site = await makeSite(testApp.db);
  const { id: networkId } = await networkNamed(testApp.db, 'northlab');
  const line = { network_id: networkId, site_id: site.id, site: site.domain, ip_address: '192.0.2.1', reason: '' };
  const failures = Array.from({ length: 500 }, () => ({ ...line, login_status: 'Failed' as const }));
  const hourAgo = new Date(Date.now() - 3_600_000);
  await testApp.db.insert(loginLog).values({ ...line, login_status: 'Success', login_time: hourAgo });
  await testApp.db.insert(loginLog).values(failures.slice(1));
  const overview = () => call(getSiteOverview, { params: { site_id: site.id } });
  expect(await overview()).toMatchObject({ last_success: { at: hourAgo.toISOString() } });
  await testApp.db.insert(loginLog).values(failures.slice(0, 1));
  expect(await overview()).toMatchObject({ last_success: null });
});
