import { describeEntryChange, type EntryChangeDraft, removeGroup } from '@opensocial/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { groupUsers, memberships, users } from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number };
let call: ReturnType<TestApp['as']>;
let people: number[];
let owner: typeof users.$inferSelect;

/** Six members of northlab: the owner, and five people of whom one is disabled and one is not confirmed. */
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  people = [];
  for (let made = 0; made < 5; made += 1) people.push((await makeUser(testApp.db)).id);
  await changeMember(3, { user_mode: 'Disable' });
  await changeMember(4, { status: 'NonConfirmed' });
});
beforeEach(async () => {
  await testApp.db.delete(groupUsers);
});

const changeMember = (person: number, changes: Partial<typeof memberships.$inferInsert>) =>
  testApp.db
    .update(memberships)
    .set(changes)
    .where(and(eq(memberships.user_id, people[person] ?? 0), eq(memberships.network_id, north.id)));

const describeChange = (body: EntryChangeDraft) => call(describeEntryChange, { params: { server_id: north.id }, body });

const groupOf = async (...members: number[]) =>
  makeGroup(testApp.db, { users: members.map((member) => people[member] ?? 0) });

const none = { total: 0, sites: [] };
/** Active members: the owner and three people. */
const active = 4;

describe('§6 who may enter a site', () => {
  test('first group: everybody who is not in it loses entry', async () => {
    const site = await makeSite(testApp.db);
    const group = await groupOf(0, 3);
    expect(await describeChange({ assigned: [{ group_id: group.id, site_id: site.id }] })).toEqual({
      total: 1,
      sites: [
        { id: site.id, site_name: site.site_name, domain: site.domain, effect: 'restricted', people: active - 1 },
      ],
    });
  });

  test('first groups together: members of any of them keep entry', async () => {
    const site = await makeSite(testApp.db);
    const groups = [await groupOf(0, 1), await groupOf(1, 2)];
    const assigned = groups.map(({ id }) => ({ group_id: id, site_id: site.id }));
    expect((await describeChange({ assigned })).sites).toMatchObject([{ effect: 'restricted', people: active - 3 }]);
  });

  test('a further group, or one of several that is removed, opens and closes nothing', async () => {
    const [group, other] = [await groupOf(0), await groupOf(1)];
    const site = await makeSite(testApp.db, { groups: [group.id, other.id] });
    const third = await groupOf(2);
    const pair = (id: number) => ({ group_id: id, site_id: site.id });
    expect(await describeChange({ assigned: [pair(third.id)] })).toEqual(none);
    expect(await describeChange({ unassigned: [pair(group.id)] })).toEqual(none);
    expect(await describeChange({ deleted: [group.id] })).toEqual(none);
    // Not assigned, so nothing is removed.
    expect(await describeChange({ unassigned: [pair(third.id)] })).toEqual(none);
  });

  test('last group: everybody who was not in it gains entry, whether it is removed or deleted', async () => {
    const [group, other] = [await groupOf(0), await groupOf(1, 4)];
    const site = await makeSite(testApp.db, { groups: [group.id, other.id] });
    const opened = { total: 1, sites: [{ id: site.id, effect: 'opened', people: active - 2 }] };
    const unassigned = [group, other].map(({ id }) => ({ group_id: id, site_id: site.id }));
    expect(await describeChange({ unassigned })).toMatchObject(opened);
    expect(await describeChange({ deleted: [group.id, other.id] })).toMatchObject(opened);
  });

  test('many sites: five are described, by domain, and all are counted', async () => {
    const group = await groupOf(0);
    for (let made = 0; made < 7; made += 1) await makeSite(testApp.db, { groups: [group.id] });
    const { total, sites } = await describeChange({ deleted: [group.id] });
    expect(total).toBe(7);
    expect(sites).toHaveLength(5);
    expect(sites.map(({ domain }) => domain)).toEqual(sites.map(({ domain }) => domain).toSorted());
  });

  test('a group that is restored from the trash restricts a site that has none meanwhile', async () => {
    const group = await groupOf(0, 1);
    const site = await makeSite(testApp.db, { groups: [group.id] });
    const kept = await makeSite(testApp.db, { groups: [group.id, (await groupOf(2)).id] });
    const { trash_id } = await call(removeGroup, { params: { groupId: group.id } });
    const { total, sites } = await describeChange({ restored: [trash_id ?? 0] });
    expect({ total, sites }).toMatchObject({
      total: 1,
      sites: [{ id: site.id, effect: 'restricted', people: active - 2 }],
    });
    expect(sites.map(({ id }) => id)).not.toContain(kept.id);
  });
});

describe('attack: the numbers of another network', () => {
  test('its groups and sites do not exist, in every field', async () => {
    const group = await groupOf(0);
    const site = await makeSite(testApp.db, { groups: [group.id] });
    const strangeGroup = await makeGroup(testApp.db, { network: 'southlab' });
    const strangeSite = await makeSite(testApp.db, { network: 'southlab', groups: [strangeGroup.id] });
    const pairs = [
      { group_id: strangeGroup.id, site_id: site.id },
      { group_id: group.id, site_id: strangeSite.id },
      { group_id: strangeGroup.id, site_id: strangeSite.id },
    ];
    const bodies = [
      ...pairs.flatMap((pair) => [{ assigned: [pair] }, { unassigned: [pair] }]),
      { deleted: [strangeGroup.id] },
      { deleted: [group.id, strangeGroup.id] },
    ];
    for (const body of bodies) await expect(describeChange(body)).rejects.toMatchObject({ code: 'not_found' });
    const south = await networkNamed(testApp.db, 'southlab');
    await expect(
      call(describeEntryChange, { params: { server_id: south.id }, body: { deleted: [strangeGroup.id] } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('its entries of the trash have no effect', async () => {
    const asSouth = testApp.as(
      await signInto(
        testApp.db,
        testApp.browser(),
        await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }),
      ),
    );
    const strangeGroup = await makeGroup(testApp.db, { network: 'southlab' });
    await makeSite(testApp.db, { network: 'southlab', groups: [strangeGroup.id] });
    const { trash_id } = await asSouth(removeGroup, { params: { groupId: strangeGroup.id } });
    expect(await describeChange({ restored: [trash_id ?? 0] })).toEqual(none);
  });

  test('its people are not counted, and neither is the state of an account elsewhere', async () => {
    const group = await groupOf(0);
    const site = await makeSite(testApp.db, { groups: [group.id] });
    const count = async () => (await describeChange({ deleted: [group.id] })).sites[0]?.people;
    expect(await count()).toBe(active - 1);
    for (let made = 0; made < 3; made += 1) await makeUser(testApp.db, { network: 'southlab' });
    // A row that should not exist: a person of another network in a group of this one.
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    await testApp.db.insert(groupUsers).values({ group_id: group.id, user_id: stranger.id });
    expect(await count()).toBe(active - 1);
    await testApp.db
      .update(users)
      .set({ user_mode: 'Disable' })
      .where(eq(users.id, people[1] ?? 0));
    expect(await count()).toBe(active - 1);
    await testApp.db.update(users).set({ user_mode: 'Active' });
    expect(site.id).toBeGreaterThan(0);
  });

  test('nothing is described to an ordinary member', async () => {
    const group = await groupOf(0);
    const asMember = testApp.as(
      await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { email: `${newUid()}@northlab.org` })),
    );
    await expect(
      asMember(describeEntryChange, { params: { server_id: north.id }, body: { deleted: [group.id] } }),
    ).rejects.toMatchObject({ code: expect.stringMatching(/forbidden|not_found|permission/) });
  });
});
