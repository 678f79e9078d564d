import { assignSite, listGroupsToAssignToSite, listSiteGroups, unassignSite } from '@opensocial/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groupSites, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number };
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  call = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

describe('§7.4 the groups of a site', () => {
  test('and those not assigned yet, by name, searched by name and description', async () => {
    const site = await makeSite(testApp.db);
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'];
    const made = new Map<string, number>();
    for (const name of names) made.set(name, (await makeGroup(testApp.db, { name })).id);
    const params = { site_id: site.id, server_id: north.id, lastid: 0 };
    const assign = (name: string) =>
      call(assignSite, { body: { group_id: made.get(name) ?? 0, subscriber_id: site.id } });
    await assign('Gamma');
    await assign('Beta');
    const assigned = await call(listSiteGroups, { params });
    expect(assigned).toMatchObject({ all_groups: 2, groups: [{ name: 'Beta' }, { name: 'Gamma' }] });
    const open = await call(listGroupsToAssignToSite, { params: { ...params, keyword: 'ta' } });
    expect(open.groups.map(({ name }) => name)).toEqual(['Delta', 'Zeta']);
    const all = await call(listGroupsToAssignToSite, { params });
    expect(all.all_groups).toBe(4);
    await call(unassignSite, { params: { group_id: made.get('Beta') ?? 0, site_id: site.id } });
    expect((await call(listSiteGroups, { params })).groups.map(({ name }) => name)).toEqual(['Gamma']);
    await expect(
      call(unassignSite, { params: { group_id: made.get('Beta') ?? 0, site_id: site.id } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('fifty concurrent assignments result in one, audited once', async () => {
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db);
    const body = { group_id: group.id, subscriber_id: site.id };
    await Promise.all(Array.from({ length: 50 }, () => call(assignSite, { body })));
    expect(await testApp.db.$count(groupSites, eq(groupSites.site_id, site.id))).toBe(1);
    const records = await testApp.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.description, 'create site of a group'), eq(auditRecords.action, 'create')));
    expect(records.filter(({ new_data }) => (new_data as { site_id: number }).site_id === site.id)).toHaveLength(1);
  });

  test("another network's group or site does not exist", async () => {
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db);
    const strangeSite = await makeSite(testApp.db, { network: 'southlab' });
    const strangeGroup = await makeGroup(testApp.db, { network: 'southlab' });
    const south = await networkNamed(testApp.db, 'southlab');
    for (const body of [
      { group_id: strangeGroup.id, subscriber_id: site.id },
      { group_id: group.id, subscriber_id: strangeSite.id },
      { group_id: strangeGroup.id, subscriber_id: strangeSite.id },
    ]) {
      await expect(call(assignSite, { body })).rejects.toMatchObject({ status: 404 });
      await expect(
        call(unassignSite, { params: { group_id: body.group_id, site_id: body.subscriber_id } }),
      ).rejects.toMatchObject({ status: 404 });
    }
    for (const params of [
      { site_id: strangeSite.id, server_id: north.id, lastid: 0 },
      { site_id: site.id, server_id: south.id, lastid: 0 },
    ]) {
      await expect(call(listSiteGroups, { params })).rejects.toMatchObject({ status: 404 });
      await expect(call(listGroupsToAssignToSite, { params })).rejects.toMatchObject({ status: 404 });
    }
    expect(await testApp.db.$count(groupSites, eq(groupSites.group_id, strangeGroup.id))).toBe(0);
  });
});
