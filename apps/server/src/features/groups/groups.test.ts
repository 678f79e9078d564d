import {
  assignSite,
  assignUser,
  createGroup,
  getGroup,
  listGroupSites,
  listGroups,
  listGroupUsers,
  listSitesToAssign,
  listUsersToAssign,
  removeGroup,
  unassignUser,
  updateGroup,
} from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groups, groupUsers, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  call = await as(await makeUser(testApp.db, { owns: ['northlab'], firstname: 'Zoe' }));
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const draft = (name: string, changes = {}) => ({ name, description: 'People', sso_server: north.id, ...changes });
const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

describe('§7.6 groups', () => {
  test('are created, listed by name, searched by name and description, changed and removed', async () => {
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'])
      await call(createGroup, { body: draft(name, { description: `The ${name} people`, id: '' }) });
    const params = { serverId: north.id, serverName: 'northlab', lastId: 0 };
    const first = await call(listGroups, { params });
    expect(first.groups.map(({ name }) => name)).toEqual(['Alpha', 'Beta', 'Delta', 'Epsilon', 'Gamma']);
    expect(first.all_groups).toBe(6);
    const found = await call(listGroups, { params: { ...params, keyword: 'beta people' } });
    expect(found).toMatchObject({ all_groups: 1, groups: [{ name: 'Beta', sso_server: north.id }] });
    const id = found.groups[0]?.id ?? 0;
    await call(updateGroup, { body: { ...draft('Better'), id, sites: [], users: [] } });
    expect(await call(getGroup, { params: { groupId: id } })).toMatchObject({ ...draft('Better'), id });
    expect(await lastAudit()).toMatchObject({ old_data: { name: 'Beta' }, new_data: { name: 'Better' } });
    await call(removeGroup, { params: { groupId: id } });
    await expect(call(getGroup, { params: { groupId: id } })).rejects.toMatchObject({ status: 404 });
  });

  test('§2.9 groups list: the users and sites of a group are counted', async () => {
    const group = await makeGroup(testApp.db, { name: 'Counted' });
    await makeSite(testApp.db, { groups: [group.id] });
    for (const _ of 'ab') {
      const { id } = await makeUser(testApp.db);
      await testApp.db.insert(groupUsers).values({ group_id: group.id, user_id: id });
    }
    const params = { serverId: north.id, serverName: 'northlab', lastId: 0, keyword: 'Counted' };
    expect(await call(listGroups, { params })).toMatchObject({ groups: [{ user_count: 2, site_count: 1 }] });
    await call(removeGroup, { params: { groupId: group.id } });
  });

  test.each([
    ['', 'x', 'Group name is required'],
    [' ', 'x', 'Group name is required'],
    ['x', ' ', 'Description text is required'],
  ])('§5 need a name and a description: %j, %j', async (name, description, message) => {
    await expect(call(createGroup, { body: draft(name, { description }) })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as unknown,
    });
  });

  test("§5 of the same name, in any case, are refused: 'Same group already exists'", async () => {
    const { id } = await call(createGroup, { body: draft('Readers') });
    await call(createGroup, { body: draft('Writers') });
    for (const attempt of [
      () => call(createGroup, { body: draft('READERS ') }),
      () => call(updateGroup, { body: { ...draft('writers'), id } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 409, message: 'Same group already exists' });
  });

  test('of one name, created twice at the same moment, are one, 200 times', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 200; round += 1) {
      const attempt = () => call(createGroup, { body: draft(`Race ${round}`) });
      const outcomes = await Promise.allSettled([attempt(), attempt()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });

  test('users and sites are assigned, listed and removed through the group', async () => {
    const group = await makeGroup(testApp.db);
    const user = await makeUser(testApp.db, { firstname: 'Bea', email: 'bea@members.org' });
    const site = await makeSite(testApp.db, { domain: 'a.members.org', site_name: 'Member Portal' });
    await call(assignUser, { body: { group_id: group.id, user_id: user.id } });
    await call(assignUser, { body: { group_id: group.id, user_id: user.id } });
    await call(assignSite, { body: { subscriber_id: site.id, group_id: group.id } });
    const here = { groupId: group.id, lastId: 0 };
    expect(await call(listGroupUsers, { params: { ...here, serverName: 'northlab' } })).toEqual({
      all_users: 1,
      users: [{ id: user.id, user_id: user.id, user_full_name: 'Bea Moreno', user_email: 'bea@members.org' }],
    });
    expect(await call(listGroupSites, { params: { ...here, serverId: north.id } })).toEqual({
      all_sites: 1,
      sites: [
        {
          id: site.id,
          subscriber_id: site.id,
          subscriber_url: 'a.members.org',
          site_name: 'Member Portal',
          gid: group.id,
        },
      ],
    });
    for (const [keyword, found] of [
      ['MEMBER PORT', 1],
      ['a.members', 1],
      ['nowhere', 0],
    ] as const)
      expect(await call(listGroupSites, { params: { ...here, serverId: north.id, keyword } })).toMatchObject({
        all_sites: found,
      });
    const toAssign = await call(listUsersToAssign, { params: { ...here, serverId: north.id } });
    expect(toAssign.users.some(({ id }) => id === user.id)).toBe(false);
    expect(toAssign.all_users).toBeGreaterThan(0);
    const sites = await call(listSitesToAssign, { params: { ...here, serverId: north.id, keyword: 'members' } });
    expect(sites.all_sites).toBe(0);
    // Members that are sent along with a change of the group are ignored.
    for (const members of [{}, { sites: [], users: [] }, { sites: [{ id: site.id }], users: [{ id: user.id }] }])
      await call(updateGroup, { body: { ...draft(group.name), id: group.id, ...members } });
    expect((await call(listGroupUsers, { params: { ...here, serverName: 'northlab' } })).all_users).toBe(1);
    expect((await call(listGroupSites, { params: { ...here, serverId: north.id } })).all_sites).toBe(1);
    await call(unassignUser, { params: { groupId: group.id, userId: user.id } });
    expect(await testApp.db.$count(groupUsers, eq(groupUsers.group_id, group.id))).toBe(0);
    await expect(call(unassignUser, { params: { groupId: group.id, userId: user.id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test("another network's groups, users and sites do not exist", async () => {
    const strange = await makeGroup(testApp.db, { network: 'southlab' });
    const own = await makeGroup(testApp.db);
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    const strangeSite = await makeSite(testApp.db, { network: 'southlab' });
    const changes = { ...draft('Moved'), id: own.id };
    for (const attempt of [
      () => call(getGroup, { params: { groupId: strange.id } }),
      () => call(removeGroup, { params: { groupId: strange.id } }),
      () => call(updateGroup, { body: { ...changes, id: strange.id } }),
      () => call(updateGroup, { body: { ...changes, sso_server: south.id } }),
      () => call(updateGroup, { body: { ...changes, users: [{ id: stranger.id }] } }),
      () => call(updateGroup, { body: { ...changes, sites: [{ id: strangeSite.id }] } }),
      () => call(createGroup, { body: draft('Sent', { sso_server: south.id }) }),
      () => call(assignUser, { body: { group_id: own.id, user_id: stranger.id } }),
      () => call(assignUser, { body: { group_id: strange.id, user_id: stranger.id } }),
      () => call(listGroupUsers, { params: { groupId: own.id, serverName: 'southlab', lastId: 0 } }),
      () => call(listGroupSites, { params: { groupId: strange.id, serverId: north.id, lastId: 0 } }),
      () => call(listGroups, { params: { serverId: south.id, serverName: 'northlab', lastId: 0 } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    expect(await testApp.db.select().from(groups).where(eq(groups.id, own.id))).toEqual([own]);
  });
});
