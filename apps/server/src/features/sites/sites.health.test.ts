import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { changeSiteHealth, checkSite, getSiteHealth, listDesktopApps, listSites } from '@opensocial/contract';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, loginLog, siteChecks, sites, throttles } from '../../database/schema.ts';
import {
  makeOidcSite,
  makeSite,
  makeUser,
  networkNamed,
  oidcParameters,
  signInto,
} from '../../testing/app/builders.ts';
import { makeEndingKey } from '../../testing/app/ending-key.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { checkDueSites } from './sites.health.jobs.ts';

/** The application: the status that it answers with, and the requests that it got. */
let status = 405;
const asked: IncomingMessage[] = [];
const listener = createServer((request, response) => {
  asked.push(request);
  response.writeHead(status, { location: '/elsewhere' }).end();
});
const address = (path: string) => `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;
const closed = 'http://127.0.0.1:9/acs';

let testApp: TestApp;
let network: { id: number; name: string };
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp({ OUTBOUND_PRIVATE: 'allow' });
  network = await networkNamed(testApp.db, 'northlab');
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  await new Promise<void>((ready) => void listener.listen(0, '127.0.0.1', ready));
});
afterAll(() => void listener.close());
beforeEach(async () => {
  await testApp.db.delete(sites).where(eq(sites.kind, 'site'));
  await testApp.db.delete(throttles);
  status = 405;
  asked.length = 0;
});

const makeClient = (...redirect_uris: string[]) =>
  makeOidcSite(testApp.db, { oidc: { ...oidcParameters(), redirect_uris } });
const health = (id: number) => call(getSiteHealth, { params: { site_id: id } });
const check = (id: number) => call(checkSite, { params: { site_id: id } });
const run = (signal?: AbortSignal) => checkDueSites(testApp.parts, signal);
const makeDue = () => testApp.db.update(siteChecks).set({ next_at: sql`now()` });
const stateOf = async (id: number) => (await testApp.db.select().from(siteChecks).where(eq(siteChecks.site_id, id)))[0];
const change = async (id: number, changes: { checks_reachability?: boolean; shows_unreachable?: boolean }) =>
  call(changeSiteHealth, {
    params: { site_id: id },
    body: { checks_reachability: true, shows_unreachable: false, ...changes },
  });
const rowOf = async (id: number) => {
  const params = { server_id: network.id, sso_server: network.name, lastid: 0 };
  return (await call(listSites, { params })).sites.find((row) => row.id === id);
};
const tileOf = async (id: number) => {
  const params = { server_id: network.id, sso_server: network.name };
  return (await call(listDesktopApps, { params })).find((app) => app.id === id);
};
const hoursUntil = (moment: Date | undefined) => ((moment?.getTime() ?? 0) - Date.now()) / 3_600_000;

describe('§7.11 checking whether a site can be reached', () => {
  test('every answer of the application counts, and the request carries nothing', async () => {
    const site = await makeSite(testApp.db, { acs: address('/acs') });
    expect((await health(site.id)).check).toBeNull();
    for (status of [200, 302, 400, 404, 405, 500]) {
      await makeDue();
      await run();
      expect((await health(site.id)).check).toMatchObject({ outcome: 'reached', detail: '', failing_since: null });
    }
    expect(asked).toHaveLength(6);
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(6).fill('HEAD /acs'));
    expect(asked.flatMap(({ headers: { cookie, authorization } }) => cookie ?? authorization ?? [])).toEqual([]);
    expect(hoursUntil((await stateOf(site.id))?.next_at)).toBeGreaterThan(0.8);
    await run();
    expect(asked).toHaveLength(6);
  });

  test('the first redirect address of an OpenID Connect application is checked', async () => {
    const site = await makeClient(address('/callback'), address('/second'));
    expect(await check(site.id)).toMatchObject({ address: address('/callback'), check: { outcome: 'reached' } });
    expect(asked.map(({ url }) => url)).toEqual(['/callback']);
  });

  test('says why it cannot be reached, tries again soon, and notices the end', async () => {
    const site = await makeSite(testApp.db, { acs: closed });
    await run();
    const { check: first } = await health(site.id);
    expect(first).toMatchObject({ outcome: 'failed', detail: 'The server refused the connection.', reached_at: null });
    expect(hoursUntil((await stateOf(site.id))?.next_at)).toBeLessThan(0.2);
    expect((await rowOf(site.id))?.unreachable_since).toBeNull();
    await makeDue();
    await run();
    expect((await health(site.id)).check?.failing_since).toBe(first?.failing_since);
    expect((await rowOf(site.id))?.unreachable_since).toBe(first?.failing_since);
    await testApp.db
      .update(sites)
      .set({ acs: address('/acs') })
      .where(eq(sites.id, site.id));
    expect((await rowOf(site.id))?.unreachable_since).toBeNull();
    await run();
    expect((await health(site.id)).check).toMatchObject({ outcome: 'reached', failing_since: null });
  });

  test.each([502, 503, 504])('a proxy that answers %i says that the application is down', async (answer) => {
    status = answer;
    const site = await makeSite(testApp.db, { acs: address('/acs') });
    expect((await check(site.id)).check).toMatchObject({
      outcome: 'failed',
      detail: `The address answered ${answer}: the application behind it is not available.`,
    });
  });

  test('an address of an app, not of a website, is not checked and is no problem', async () => {
    const site = await makeClient('org.example.app:/callback');
    await run();
    await makeDue();
    await run();
    expect((await health(site.id)).check?.outcome).toBe('skipped');
    expect((await rowOf(site.id))?.unreachable_since).toBeNull();
    expect(hoursUntil((await stateOf(site.id))?.next_at)).toBeGreaterThan(23);
  });

  test('disabled sites, and sites whose check is turned off, are not requested', async () => {
    const off = await makeSite(testApp.db, { acs: address('/off') });
    await makeSite(testApp.db, { acs: address('/disabled'), status: 'Disable' });
    await change(off.id, { checks_reachability: false });
    await run();
    expect(asked).toEqual([]);
    await expect(check(off.id)).rejects.toMatchObject({ code: 'site_not_checked' });
    expect(asked).toEqual([]);
  });

  test('a failure is not shown any more once the check is turned off', async () => {
    const site = await makeSite(testApp.db, { acs: closed });
    await check(site.id);
    await check(site.id);
    expect((await rowOf(site.id))?.unreachable_since).not.toBeNull();
    await change(site.id, { checks_reachability: false });
    expect((await rowOf(site.id))?.unreachable_since).toBeNull();
    expect((await health(site.id)).check).toBeNull();
  });

  test('sites of a network with the same address share one request, and hosts are not flooded', async () => {
    const shared = [await makeClient(address('/one')), await makeClient(address('/one'))];
    for (let count = 0; count < 40; count += 1) await makeSite(testApp.db, { acs: address(`/${count}`) });
    await run();
    expect(asked).toHaveLength(30);
    await run();
    expect(new Set(asked.map(({ url }) => url)).size).toBe(41);
    expect(asked).toHaveLength(41);
    for (const { id } of shared) expect((await health(id)).check?.outcome).toBe('reached');
  });

  test('a check by hand is limited for each site', async () => {
    const site = await makeSite(testApp.db, { acs: address('/acs') });
    for (let count = 0; count < 3; count += 1) await check(site.id);
    await expect(check(site.id)).rejects.toMatchObject({ code: 'too_many' });
    expect(asked).toHaveLength(3);
  });

  test('a shutdown is no failure of the site', async () => {
    const site = await makeSite(testApp.db, { acs: address('/acs') });
    await run(AbortSignal.abort());
    expect(asked).toEqual([]);
    expect((await health(site.id)).check).toBeNull();
    await run();
    expect(asked).toHaveLength(1);
  });
});

test('§7.11 checking whether a site can be reached: not in a private network, unless that is allowed', async () => {
  const strict = await buildTestApp();
  const owner = await makeUser(strict.db, { owns: ['northlab'] });
  const ask = strict.as(await signInto(strict.db, strict.browser(), owner));
  const port = (listener.address() as AddressInfo).port;
  for (const acs of [address('/acs'), `https://127.0.0.1:${port}/acs`, `https://localhost:${port}/acs`]) {
    const site = await makeSite(strict.db, { acs });
    const { check: checked } = await ask(checkSite, { params: { site_id: site.id } });
    expect(checked).toMatchObject({ outcome: 'skipped' });
    expect(checked?.detail).toMatch(/private network|https:/);
  }
  expect(asked).toEqual([]);
});

describe('§2.7 health of a site', () => {
  test('the tile says that the site cannot be reached only if the owner wants it', async () => {
    const site = await makeSite(testApp.db, { acs: closed, desktop_position: 1 });
    await check(site.id);
    await check(site.id);
    expect(await tileOf(site.id)).toMatchObject({ is_unreachable: false });
    const { version } = await change(site.id, { shows_unreachable: true });
    expect(await tileOf(site.id)).toMatchObject({ is_unreachable: true });
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ id: version, new_data: { shows_unreachable: true } });
  });

  test('the failure rate is that of the last 50 sign-ins of seven days at this site', async () => {
    const site = await makeSite(testApp.db);
    const other = await makeSite(testApp.db);
    const line = (siteId: number, hours: number, login_status: 'Success' | 'Failed') => ({
      network_id: network.id,
      site_id: siteId,
      site: 'site.example',
      login_status,
      reason: '',
      ip_address: '192.0.2.1',
      login_time: new Date(Date.now() - hours * 3_600_000),
    });
    const insert = (lines: ReturnType<typeof line>[]) => testApp.db.insert(loginLog).values(lines);
    expect((await health(site.id)).recent_sign_ins).toEqual({ total: 0, failed: 0 });
    await insert([line(site.id, 24 * 8, 'Failed'), line(site.id, 2, 'Failed'), line(site.id, 1, 'Success')]);
    await insert([line(other.id, 1, 'Failed')]);
    expect((await health(site.id)).recent_sign_ins).toEqual({ total: 2, failed: 1 });
    await insert(Array.from({ length: 45 }, () => line(site.id, 3, 'Failed')));
    await insert(Array.from({ length: 10 }, () => line(site.id, 0, 'Success')));
    expect((await health(site.id)).recent_sign_ins).toEqual({ total: 50, failed: 39 });
    expect((await rowOf(site.id))?.recent_sign_ins).toEqual({ total: 50, failed: 39 });
  });

  test('the first of the needed certificates decides, and the last one of several for one use', async () => {
    const [soon, later, latest] = [makeEndingKey(10), makeEndingKey(100), makeEndingKey(400)];
    const site = await makeSite(testApp.db, {
      certificate: `${soon.certificate}\n${latest.certificate}`,
      encryption_certificate: later.certificate,
      encrypts: true,
    });
    const days = (moment: string | null | undefined) => Math.round(hoursUntil(new Date(moment ?? 0)) / 24);
    expect(days((await rowOf(site.id))?.certificate_ends)).toBe(100);
    expect(days((await health(site.id)).certificate_ends)).toBe(100);
    await testApp.db.update(sites).set({ encrypts: false }).where(eq(sites.id, site.id));
    expect(days((await rowOf(site.id))?.certificate_ends)).toBe(400);
    const without = await makeSite(testApp.db, { certificate: null });
    expect((await rowOf(without.id))?.certificate_ends).toBeNull();
  });
});
