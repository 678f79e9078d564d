import { delinkSiteUser, listAllSiteUsers, listSiteUsers, maximumFlatRows, setNetworkMode } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { siteVisits, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let south: { id: number };
let call: ReturnType<TestApp['as']>;
const people: User[] = [];
beforeAll(async () => {
  testApp = await buildTestApp();
  south = await networkNamed(testApp.db, 'southlab');
  const draft = { network: 'southlab' };
  for (const firstname of ['Bea', 'Ana', 'Cleo']) people.push(await makeUser(testApp.db, { ...draft, firstname }));
  await makeUser(testApp.db, { firstname: 'Elsewhere' });
  const owner = await makeUser(testApp.db, { ...draft, firstname: 'Zoe', owns: ['southlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
});

const usersOf = async (siteId: number, keyword?: string) =>
  call(listSiteUsers, {
    params: { siteId, serverId: south.id, lastid: 0, ...(keyword !== undefined && { keyword }) },
  });
const firstNames = (list: { fullname: string }[]) => list.map(({ fullname }) => fullname.split(' ')[0]);

describe('§2.7 the users of a site', () => {
  test('without groups are all users of the network, by name', async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const { users: listed, all_users } = await usersOf(site.id);
    expect(firstNames(listed)).toEqual(['Ana', 'Bea', 'Cleo', 'Zoe']);
    expect(all_users).toBe(4);
    expect(listed[0]).toMatchObject({ status: 'Active', groups: '', visited: null });
    expect(firstNames((await usersOf(site.id, 'cle')).users)).toEqual(['Cleo']);
    expect(firstNames(await call(listAllSiteUsers, { params: { siteId: site.id, serverId: south.id } }))).toEqual([
      'Ana',
      'Bea',
      'Cleo',
      'Zoe',
    ]);
  });

  test('with groups are the users of those groups', async () => {
    const ids = people.map(({ id }) => id);
    const readers = await makeGroup(testApp.db, { network: 'southlab', name: 'Readers', users: ids.slice(0, 2) });
    const writers = await makeGroup(testApp.db, { network: 'southlab', name: 'Writers', users: ids.slice(0, 1) });
    const site = await makeSite(testApp.db, { network: 'southlab', groups: [readers.id, writers.id] });
    const { users: listed, all_users } = await usersOf(site.id);
    expect(listed).toMatchObject([
      { fullname: 'Ana Moreno', groups: 'Readers' },
      { fullname: 'Bea Moreno', groups: 'Readers, Writers' },
    ]);
    expect(all_users).toBe(2);
  });

  test("are delinked only while the network's mode is Visited", async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const [user] = people;
    if (!user) throw new Error('Nobody was made.');
    await testApp.db.insert(siteVisits).values({ user_id: user.id, site_id: site.id });
    const params = { userId: user.id, siteId: site.id, serverId: south.id };
    await expect(call(delinkSiteUser, { params })).rejects.toMatchObject({ status: 409, code: 'not_visited_mode' });
    await call(setNetworkMode, { body: { server: 'southlab', mode: 'Visited' } });
    const visited = async () => (await usersOf(site.id)).users.find(({ id }) => id === user.id)?.visited;
    expect(Date.parse((await visited()) ?? '')).toBeGreaterThan(0);
    await call(delinkSiteUser, { params });
    expect(await visited()).toBeNull();
    await expect(call(delinkSiteUser, { params })).rejects.toMatchObject({ status: 404 });
  });

  test('of another network are not found', async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const stranger = await makeUser(testApp.db);
    const strange = await makeSite(testApp.db);
    const north = await networkNamed(testApp.db, 'northlab');
    await testApp.db.insert(siteVisits).values({ user_id: stranger.id, site_id: site.id });
    for (const params of [
      { userId: stranger.id, siteId: site.id, serverId: south.id },
      { userId: stranger.id, siteId: strange.id, serverId: north.id },
      { userId: people[0]?.id ?? 0, siteId: strange.id, serverId: south.id },
    ])
      await expect(call(delinkSiteUser, { params })).rejects.toMatchObject({ status: 404 });
    await expect(usersOf(strange.id)).rejects.toMatchObject({ status: 404 });
  });

  // Last, because it leaves ten thousand users behind.
  test('§7.4 as a flat list are all of them, more than a page; a list that is too long is refused', async () => {
    const site = await makeSite(testApp.db, { network: 'southlab' });
    const many = (count: number) =>
      testApp.pool.query(
        `with made as (
          insert into users (uid, email, firstname, lastname, status, home_network_id, default_network_id)
          select 'flat-' || place || '-' || $1::int, 'flat-' || place || '-' || $1::int || '@southlab.org', 'Flat', 'User', 'Confirmed', $2, $2
          from generate_series(1, $1::int) as place returning id)
        insert into memberships (network_id, user_id) select $2, id from made`,
        [count, south.id],
      );
    const flat = () => call(listAllSiteUsers, { params: { siteId: site.id, serverId: south.id } });
    await many(20);
    const { users: page, all_users } = await usersOf(site.id);
    expect(page.length).toBeLessThan(all_users);
    expect(await flat()).toHaveLength(all_users);
    await many(maximumFlatRows);
    await expect(flat()).rejects.toMatchObject({ status: 400, code: 'list_too_long' });
  });
});
