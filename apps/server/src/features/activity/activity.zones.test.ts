import { exportActivity, followActivity, listActivity, listAudit, listUserLog, listUsers } from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { periodOf, withinPeriod } from '../../database/days.ts';
import { auditRecords, loginLog, type users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { listenTo } from '../../testing/app/event-stream.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let network: { id: number };
let owner: User;
let person: User;
let site: { id: number };
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  network = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  person = await makeUser(testApp.db, { email: 'kei@northlab.org', created_at: new Date('2026-03-28T22:30:00Z') });
  site = await makeSite(testApp.db, { domain: 'lab.org' });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  // A line every 15 minutes, around the days on which the clocks change in Europe.
  for (const [first, last] of [
    ['2026-03-26', '2026-04-02'],
    ['2026-10-22', '2026-10-29'],
  ])
    await testApp.db.execute(sql`
      insert into login_log (network_id, site_id, user_id, site, email, login_status, reason, ip_address, login_time)
      select ${network.id}, ${site.id}, ${person.id}, 'lab.org', ${person.email},
        case when extract(minute from moment) = 0 then 'Failed' else 'Success' end, 'password', '10.0.0.1', moment
      from generate_series(${first}::timestamptz, ${last}::timestamptz, interval '15 minutes') as moment`);
});

type Filters = { time?: string; filter?: 'Success' | 'Failed'; site?: string; keyword?: string };

const totalOf = async (filters: Filters, zone?: string) =>
  (await call(listActivity, { params: { server: 'northlab', lastid: 0, ...filters }, query: { zone } })).all_logs;

/** The dates of lines in a time zone, as PostgreSQL converts them. */
const countIn = async (first: string, last: string, zone: string): Promise<number> => {
  const { rows } = await testApp.db.execute<{ lines: number }>(
    sql`select count(*)::int as lines from login_log where (login_time at time zone ${zone})::date between ${first} and ${last}`,
  );
  return rows[0]?.lines ?? 0;
};

describe('§2.13 activity log: days of a filter', () => {
  test.each([
    'UTC',
    'Europe/Berlin',
    'Asia/Tokyo',
    'Asia/Kathmandu',
    'Pacific/Kiritimati',
    'Pacific/Pago_Pago',
    'America/Los_Angeles',
    'Atlantic/Azores',
  ])('are days in %s, also those on which the clocks change', async (zone) => {
    for (const [first, last] of [
      ['2026-03-28', '2026-03-28'],
      ['2026-03-29', '2026-03-29'],
      ['2026-03-28', '2026-03-30'],
      ['2026-10-25', '2026-10-25'],
      ['2026-03-01', '2026-10-25'],
    ] as const)
      expect([first, last, await totalOf({ time: `${first},${last}` }, zone)]).toEqual([
        first,
        last,
        await countIn(first, last, zone),
      ]);
  });

  test('have 23 or 25 hours where the clocks change, with every other filter too', async () => {
    const march = { time: '2026-03-29,2026-03-29' };
    const october = { time: '2026-10-25,2026-10-25' };
    for (const [filters, perHour] of [
      [{}, 4],
      [{ filter: 'Failed' }, 1],
      [{ keyword: 'kei' }, 4],
      [{ site: 'lab.o' }, 4],
      [{ site: String(site.id), filter: 'Success' }, 3],
    ] as const) {
      expect(await totalOf({ ...march, ...filters }, 'Europe/Berlin')).toBe(23 * perHour);
      expect(await totalOf({ ...october, ...filters }, 'Europe/Berlin')).toBe(25 * perHour);
    }
  });

  test('are days in UTC without a time zone', async () => {
    const time = '2026-03-29,2026-03-29';
    expect([await totalOf({ time }), await totalOf({ time }, 'Europe/Berlin')]).toEqual([96, 92]);
  });

  test('are the same days for a person, in the export, by site and while the log is followed', async () => {
    const time = '2026-03-29,2026-03-29';
    const query = { zone: 'Europe/Berlin' };
    const ofPerson = { email: person.email, server: 'northlab', lastid: 0, time };
    expect(await call(listUserLog, { params: ofPerson, query })).toMatchObject({ all_logs: 92 });
    const params = { server: 'northlab', time };
    const bySite = { params: { ...params, lastid: 0 }, query: { ...query, sort: 'site' as const } };
    expect(await call(listActivity, bySite)).toMatchObject({ all_logs: 92 });

    const browser = await signInto(testApp.db, testApp.browser(), owner);
    const zone = new URLSearchParams(query);
    const file = await browser.fetch(`${exportActivity.path.build(params)}?${zone}`, {}, {});
    const times = (await file.text()).trimEnd().split('\r\n').slice(1);
    expect([times.length, times.at(-1)?.slice(0, 24)]).toEqual([92, '2026-03-28T23:00:00.000Z']);

    // A time zone in which the date is another one than in UTC.
    const [zoneOfNow, ahead] = new Date().getUTCHours() < 12 ? ['Etc/GMT+12', -12] : ['Etc/GMT-14', 14];
    const dayIn = (minutes: number) =>
      new Date(Date.now() + ahead * 3_600_000 + minutes * 60_000).toISOString().slice(0, 10);
    const asked = new URLSearchParams({ time: `${dayIn(0)},${dayIn(5)}`, zone: zoneOfNow });
    const address = `${followActivity.path.build({ server: 'northlab' })}?${asked}`;
    const stream = await listenTo(testApp.app, address, browser);
    await testApp.db.insert(loginLog).values({
      network_id: network.id,
      site: 'now.org',
      login_status: 'Success',
      reason: 'password',
      ip_address: '10.0.0.1',
    });
    expect(await stream.until((text) => text.includes('now.org'))).toContain('now.org');
  });

  test('use the index of the network, and only the partitions of their months', async () => {
    const lines = testApp.db
      .select({ id: loginLog.id })
      .from(loginLog)
      .where(
        sql`${loginLog.network_id} = ${network.id} and ${withinPeriod(loginLog.login_time, periodOf('2026-11-18,2026-11-18', 'Asia/Tokyo'))}`,
      );
    const plan = await testApp.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute<{ 'QUERY PLAN': string }>(sql`explain ${lines.getSQL()}`);
    });
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    const read = new Set([...text.matchAll(/ on (login_log_\w+)/g)].map(([, table]) => table));
    expect(text).toMatch(/Index Cond: .*login_time >= '/);
    expect(
      [...read].filter((table) => /^login_log_\d{4}_\d\d$/.test(table ?? '') && table !== 'login_log_2026_11'),
    ).toEqual([]);
  });
});

describe('§2.13 and §2.8: other lists', () => {
  test('the record of changes has the same days', async () => {
    await testApp.db.insert(auditRecords).values({
      network_id: network.id,
      audit_type: 'OpenSocial',
      action: 'update',
      description: 'Update of a user',
      actor: owner.email,
      created_at: new Date('2026-03-28T15:30:00Z'),
    });
    const total = async (day: string, zone?: string) => {
      const params = { server: 'northlab', lastid: 0, time: `${day},${day}` };
      return (await call(listAudit, { params, query: { zone } })).all_records;
    };
    expect([await total('2026-03-28'), await total('2026-03-29')]).toEqual([1, 0]);
    expect([await total('2026-03-28', 'Asia/Tokyo'), await total('2026-03-29', 'Asia/Tokyo')]).toEqual([0, 1]);
  });

  test('the list of users and its export filter by days of creation', async () => {
    const ask = async (day: string, zone: string) => {
      const params = { serverId: network.id, serverName: 'northlab', lastId: 0, time: `${day},${day}` };
      const { users: found } = await call(listUsers, { params, query: { zone } });
      const browser = await signInto(testApp.db, testApp.browser(), owner);
      const path = `/server/sso/users_export/${network.id}/time/${params.time}/northlab?${new URLSearchParams({ zone })}`;
      const file = await (await browser.fetch(path, {}, {})).text();
      expect(file.includes(person.email)).toBe(found.length === 1);
      return found.map(({ email }) => email);
    };
    expect(await ask('2026-03-28', 'UTC')).toEqual([person.email]);
    expect(await ask('2026-03-28', 'Africa/Cairo')).toEqual([]);
    expect(await ask('2026-03-29', 'Africa/Cairo')).toEqual([person.email]);
  });
});

describe('THREATS: a time zone', () => {
  test.each(['', 'Nowhere/Else', '+0100', '-05', 'BST', 'AET', 'Europe/Berlin ', "'; drop table users; --"])(
    'that is not a name is refused: %j',
    async (zone) => {
      const refusal = { status: 400 };
      const time = '2026-03-29,2026-03-29';
      const server = 'northlab';
      const place = { serverId: network.id, serverName: server, lastId: 0 };
      const query = { zone };
      await expect(call(listActivity, { params: { server, lastid: 0, time }, query })).rejects.toMatchObject(refusal);
      await expect(call(listAudit, { params: { server, lastid: 0, time }, query })).rejects.toMatchObject(refusal);
      await expect(call(listUsers, { params: { ...place, time }, query })).rejects.toMatchObject(refusal);
      const ofPerson = { email: person.email, server, lastid: 0, time };
      await expect(call(listUserLog, { params: ofPerson, query })).rejects.toMatchObject(refusal);
      const browser = await signInto(testApp.db, testApp.browser(), owner);
      for (const path of [
        exportActivity.path.build({ server, time }),
        `/server/sso/users_export/${network.id}/time/${time}/northlab`,
        followActivity.path.build({ server }),
      ])
        expect((await browser.fetch(`${path}?${new URLSearchParams(query)}`, {}, {})).status).toBe(400);
    },
  );
});
