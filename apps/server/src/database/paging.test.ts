import {
  listActivity,
  listAudit,
  listGroups,
  listUsers,
  maximumCounted,
  maximumCountedAtOnce,
} from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser, networkNamed, signInto } from '../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';

const people = 10_200;

let testApp: TestApp;
let north: { id: number };
let call: ReturnType<TestApp['as']>;

const run = <Row extends Record<string, unknown> = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  testApp.pool.query<Row>(text, values);

const idsOf = async (text: string): Promise<number[]> =>
  (await run<{ id: string }>(text, [north.id])).rows.map(({ id }) => Number(id));

beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  call = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
  await run(
    `with made as (
      insert into users (uid, email, firstname, lastname, status, home_network_id, default_network_id)
      select 'p' || place, md5(place::text) || '@x.org', left(md5(place::text), 3),
        'Common' || case when place % 100 = 0 then ' Rarely' else '' end, 'Confirmed', $2, $2
      from generate_series(1, $1::int) as place returning id)
    insert into memberships (network_id, user_id, last_login_at)
    select $2, id, case when id % 3 > 0 then timestamptz '2026-06-01Z' + id * interval '1 minute' end from made`,
    [people, north.id],
  );
});

/** Where the pages of a list of this length are compared: at the beginning, in the middle and at the end. */
const placesIn = (length: number): number[] => [0, 1, Math.floor(length / 3), length - 7, length - 2];

describe('§2.8 users found by a search', () => {
  const search = (
    keyword: string,
    lastId = 0,
    asked: { count?: 'quick' | 'only'; sort?: 'email' | 'last_login' } = {},
  ) =>
    call(listUsers, {
      params: { serverId: north.id, serverName: 'northlab', keyword, lastId },
      query: asked,
    });
  const found = (keyword: string, order: string) =>
    idsOf(`select users.id from users join memberships on user_id = users.id where network_id = $1
      and searched like '%${keyword}%' order by ${order}, users.id`);

  test.each([
    ['common', undefined, 'fullname'],
    ['co', undefined, 'fullname'],
    ['common', 'email', 'email'],
    ['common', 'last_login', "coalesce(memberships.last_login_at, '-infinity')"],
    ['rarely', undefined, 'fullname'],
    ['rarely', 'email', 'email'],
    ['rarely', 'last_login', "coalesce(memberships.last_login_at, '-infinity')"],
  ] as const)(
    'are the same, in the same order, whether they are many or few (%s by %s)',
    async (keyword, sort, order) => {
      const ids = await found(keyword, order);
      for (const place of placesIn(ids.length))
        for (const count of [undefined, 'quick'] as const) {
          const page = await search(keyword, ids[place - 1], { ...(count && { count }), ...(sort && { sort }) });
          expect(page.users.map(({ id }) => id)).toEqual(ids.slice(place, place + page.users.length));
          expect(page.users.length).toBe(Math.min(5, ids.length - place));
        }
    },
  );

  test('are counted completely, unless the rows are wanted at once', async () => {
    const complete = await search('common');
    expect(complete).toMatchObject({ all_users: people });
    expect(complete).not.toHaveProperty('total_is_minimum');
    const quick = await search('common', 0, { count: 'quick' });
    expect(quick.users).toEqual(complete.users);
    expect(quick.total_is_minimum).toBe(true);
    expect(quick.all_users).toBeLessThanOrEqual(maximumCountedAtOnce);
    expect(quick.all_users).toBeGreaterThanOrEqual(quick.users.length);
    expect(await search('common', 0, { count: 'quick', sort: 'email' })).toMatchObject({
      all_users: maximumCountedAtOnce,
      total_is_minimum: true,
    });
    expect(await search('common', 0, { count: 'only' })).toMatchObject({ users: [], all_users: people });
    expect(await search('common', 0, { count: 'only', sort: 'last_login' })).toMatchObject({
      users: [],
      all_users: people,
    });
    expect(await search('nobody', 0, { count: 'quick' })).toMatchObject({ users: [], all_users: 0 });
    expect(await search('rarely')).toMatchObject({ all_users: people / 100 });
    await expect(search('common', 0, { count: 'all' as 'only' })).rejects.toMatchObject({ status: 400 });
  });

  test('of all users are counted exactly, however many there are', async () => {
    const params = { serverId: north.id, serverName: 'northlab', lastId: 0 };
    const all = await call(listUsers, { params, query: { count: 'quick' } });
    expect(all.all_users).toBeGreaterThan(people);
    expect(all).not.toHaveProperty('total_is_minimum');
  });
});

test('§2.9 a list of more rows than are counted says so', async () => {
  await run(
    `insert into groups (network_id, name, description) select $1, 'Many ' || place, 'x' from generate_series(1, $2::int) as place`,
    [north.id, maximumCounted + 1],
  );
  const page = await call(listGroups, {
    params: { serverId: north.id, serverName: 'northlab', keyword: 'many', lastId: 0 },
  });
  expect(page).toMatchObject({ all_groups: maximumCounted, total_is_minimum: true });
  expect(page.groups.map(({ name }) => name)).toEqual(['Many 1', 'Many 10', 'Many 100', 'Many 1000', 'Many 10000']);
});

describe('§2.13 lines found by a search', () => {
  const search = (keyword: string, lastid = 0, asked: { count?: 'quick' | 'only'; reason?: string } = {}) =>
    call(listActivity, { params: { server: 'northlab', keyword, lastid }, query: asked });

  beforeAll(async () => {
    // One person with many lines over a year and a half, with gaps of months, between lines of others.
    await run(
      `insert into login_log (network_id, site, email, login_status, reason, ip_address, login_time)
       select $1, 'lab.org', case when line % 2 = 0 then 'often@lab.org' else 'n' || line || '@lab.org' end, 'Success', 'r', '10.0.0.1',
         timestamptz '2025-02-01Z' + line / 7 * interval '4 hours' + case when line > 9000 then interval '150 days' else interval '0' end
       from generate_series(1, 22000) as line`,
      [north.id],
    );
  });

  test('are the same whether one person has many or many persons have some', async () => {
    for (const [keyword, condition] of [
      ['often', `email = 'often@lab.org'`],
      ['@lab', `email like '%@lab%'`],
    ] as const) {
      const ids = await idsOf(
        `select id from login_log where network_id = $1 and ${condition} order by login_time desc, id desc`,
      );
      for (const place of [...placesIn(ids.length), ids.length - 4_000, ids.length - 6_000])
        for (const count of [undefined, 'quick'] as const) {
          const page = await search(keyword, ids[place - 1], { ...(count && { count }) });
          expect(page.logs.map(({ id }) => id)).toEqual(ids.slice(place, place + 5));
        }
      expect(await search(keyword)).toMatchObject({ all_logs: ids.length });
      expect(await search(keyword, 0, { count: 'only' })).toMatchObject({ logs: [], all_logs: ids.length });
    }
  });

  test('are counted by the names at once, if these are few', async () => {
    expect(await search('often', 0, { count: 'quick' })).toMatchObject({ all_logs: 11_000 });
    const many = await search('@lab', 0, { count: 'quick' });
    expect(many.total_is_minimum).toBe(true);
    expect(many.all_logs % 1_000).toBe(0);
    expect(many.all_logs).toBeLessThanOrEqual(maximumCountedAtOnce);
    // There are no counters of reasons.
    expect(await search('often', 0, { count: 'quick', reason: 'r' })).toMatchObject({ logs: [], all_logs: 0 });
  });
});

test('§2.13 changes can be counted quickly as well', async () => {
  const params = { server: 'northlab', lastid: 0 };
  const { all_records } = await call(listAudit, { params });
  expect(await call(listAudit, { params, query: { count: 'only' } })).toMatchObject({ records: [], all_records });
  expect(await call(listAudit, { params, query: { count: 'quick' } })).toMatchObject({ all_records });
});
