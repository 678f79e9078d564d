import { getSiteMaintenance, planSiteMaintenance, type SiteMaintenanceChanges } from '@opensocial/contract';
import { desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groups, groupUsers, siteAnnouncements, sites } from '../../database/schema.ts';
import type { Browser } from '../../testing/app/browser.ts';
import { makeGroup, makeSite, makeUser, password, signInto } from '../../testing/app/builders.ts';
import { isSignedIn } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { carryOutMaintenance } from './sites.maintenance.service.ts';

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
const noPlan = { closes_at: null, opens_at: null, testers_group_id: null };
const plan = (id: number, changes: Partial<SiteMaintenanceChanges>) =>
  call(planSiteMaintenance, { params: { site_id: id }, body: { ...noPlan, ...changes } });
const stored = async (id: number) => (await testApp.db.select().from(sites).where(eq(sites.id, id)))[0];
const place = (id: number, columns: Partial<typeof sites.$inferInsert>) =>
  testApp.db.update(sites).set(columns).where(eq(sites.id, id));

describe('§2.7 planned maintenance', () => {
  test('is stored, shown, changed and removed, and audited', async () => {
    const { id, domain } = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db, { name: 'Testers of the wiki' });
    const window = { closes_at: inMinutes(60), opens_at: inMinutes(120) };
    const planned = await plan(id, { ...window, testers_group_id: group.id });
    expect(planned).toMatchObject({ ...window, testers: { id: group.id, name: 'Testers of the wiki' } });
    expect(await call(getSiteMaintenance, { params: { site_id: id } })).toEqual(planned);
    const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(record).toMatchObject({ description: `update site ${domain}`, new_data: { testers_group_id: group.id } });
    expect(await plan(id, { based_on: planned.version })).toMatchObject({ closes_at: null, testers: null });
    await expect(plan(id, { ...window, based_on: planned.version })).rejects.toMatchObject({ status: 409 });
  });

  test('a time in the past, an end before the beginning and a group of another network are refused', async () => {
    const { id } = await makeSite(testApp.db);
    const foreign = await makeGroup(testApp.db, { network: 'southlab' });
    await expect(plan(id, { closes_at: inMinutes(-1) })).rejects.toMatchObject({ code: 'maintenance_past' });
    await expect(plan(id, { closes_at: inMinutes(60), opens_at: inMinutes(30) })).rejects.toMatchObject({
      status: 400,
    });
    await expect(plan(id, { testers_group_id: foreign.id })).rejects.toMatchObject({ status: 404 });
    expect(await stored(id)).toMatchObject({ closes_at: null, opens_at: null, testers_group_id: null });
  });

  test('is carried out by jobs at its times, which a new plan replaces', async () => {
    const { id } = await makeSite(testApp.db);
    const jobsOf = async () => {
      const { rows } = await testApp.db.execute<{ key: string; run_at: string }>(
        sql`select key, run_at from graphile_worker.jobs where key like ${`maintenance:${id}:%`} order by key`,
      );
      return rows.map(({ key, run_at }) => [key, new Date(run_at).toISOString()]);
    };
    const first = { closes_at: inMinutes(60), opens_at: inMinutes(120) };
    await plan(id, first);
    expect(await jobsOf()).toEqual([
      [`maintenance:${id}:closes`, first.closes_at],
      [`maintenance:${id}:opens`, first.opens_at],
    ]);
    const second = { closes_at: inMinutes(90), opens_at: inMinutes(180) };
    await plan(id, second);
    expect(await jobsOf()).toEqual([
      [`maintenance:${id}:closes`, second.closes_at],
      [`maintenance:${id}:opens`, second.opens_at],
    ]);
  });

  test('a stored time that has come can be sent again', async () => {
    const { id } = await makeSite(testApp.db);
    const [closes_at, opens_at] = [new Date(Date.now() - 1_000), new Date(Date.now() + 60_000)];
    await place(id, { closes_at, opens_at });
    const window = { closes_at: closes_at.toISOString(), opens_at: opens_at.toISOString() };
    expect(await plan(id, window)).toMatchObject(window);
  });

  test('the site is closed and opened at its times, and each change is announced and audited', async () => {
    const { id, domain } = await makeSite(testApp.db, { update_url: 'https://wiki.northlab.org/mode' });
    const opens_at = new Date(Date.now() + 60_000);
    await place(id, { closes_at: new Date(Date.now() - 1_000), opens_at });
    await carryOutMaintenance(testApp.parts);
    expect(await stored(id)).toMatchObject({ site_mode: 'Closed', closes_at: null, opens_at });
    const announced = () => testApp.db.select().from(siteAnnouncements).where(eq(siteAnnouncements.site_id, id));
    expect(await announced()).toMatchObject([{ mode: 'Closed' }]);
    await carryOutMaintenance(testApp.parts);
    expect(await stored(id)).toMatchObject({ site_mode: 'Closed', opens_at });
    await place(id, { opens_at: new Date(Date.now() - 1_000) });
    await Promise.all([carryOutMaintenance(testApp.parts), carryOutMaintenance(testApp.parts)]);
    expect(await stored(id)).toMatchObject({ site_mode: 'Open', closes_at: null, opens_at: null });
    expect(await announced()).toMatchObject([{ mode: 'Open' }]);
    const records = await testApp.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, `update site ${domain}`));
    expect(records.map(({ new_data }) => new_data)).toMatchObject([{ site_mode: 'Closed' }, { site_mode: 'Open' }]);
  });

  test('a site that an owner has closed before is not announced again', async () => {
    const { id } = await makeSite(testApp.db, { update_url: 'https://wiki.northlab.org/mode', site_mode: 'Closed' });
    await place(id, { closes_at: new Date(Date.now() - 1_000), opens_at: new Date(Date.now() + 60_000) });
    await carryOutMaintenance(testApp.parts);
    expect(await stored(id)).toMatchObject({ site_mode: 'Closed', closes_at: null });
    const announced = await testApp.db.select().from(siteAnnouncements).where(eq(siteAnnouncements.site_id, id));
    expect(announced).toEqual([]);
  });

  test('a window that has passed while no server was running leaves the site open', async () => {
    const { id } = await makeSite(testApp.db);
    await place(id, { closes_at: new Date(Date.now() - 7_200_000), opens_at: new Date(Date.now() - 3_600_000) });
    await carryOutMaintenance(testApp.parts);
    expect(await stored(id)).toMatchObject({ site_mode: 'Open', closes_at: null, opens_at: null });
  });
});

describe('§6 testers of a closed site', () => {
  const enter = async (browser: Browser, site: { id: number }, email: string) =>
    browser.submit(await browser.get(`/saml/northlab/start/${site.id}`), { email, password });

  test('members of the group enter, others read that it is closed', async () => {
    const group = await makeGroup(testApp.db);
    const site = await makeSite(testApp.db, { site_mode: 'Closed', testers_group_id: group.id });
    const [tester, other] = [await makeUser(testApp.db), await makeUser(testApp.db)];
    await testApp.db.insert(groupUsers).values({ group_id: group.id, user_id: tester.id });
    await makeGroup(testApp.db, { users: [other.id] });
    const browser = testApp.browser();
    expect((await browser.get(`/saml/northlab/start/${site.id}`)).html).toContain('or test this site');
    expect(isSignedIn(await enter(browser, site, tester.email))).toBe(true);
    expect(isSignedIn(await browser.get(`/saml/northlab/start/${site.id}`))).toBe(true);
    const refused = await enter(testApp.browser(), site, other.email);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('is closed');
  });

  test('testers still need a group of the site, and the site survives the end of their group', async () => {
    const [testers, members] = [await makeGroup(testApp.db), await makeGroup(testApp.db)];
    const site = await makeSite(testApp.db, {
      site_mode: 'Closed',
      testers_group_id: testers.id,
      groups: [members.id],
    });
    const tester = await makeUser(testApp.db);
    await testApp.db.insert(groupUsers).values({ group_id: testers.id, user_id: tester.id });
    expect((await enter(testApp.browser(), site, tester.email)).html).toContain('no access');
    await testApp.db.delete(groups).where(eq(groups.id, testers.id));
    expect(await stored(site.id)).toMatchObject({ testers_group_id: null, site_mode: 'Closed' });
  });
});
