import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkNamed } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { maintainLoginLog } from './activity.service.ts';

let testApp: TestApp;
let networkId: number;
beforeAll(async () => {
  testApp = await buildTestApp();
  networkId = (await networkNamed(testApp.db, 'northlab')).id;
});
beforeEach(() => testApp.db.execute(sql`truncate login_log, login_log_days, login_log_hours, login_log_names`));

/** Writes a line this many days ago. Its partition is created first, unless the test is about a missing one. */
const write = async (site: string, daysAgo: number, options: { withMonth: boolean } = { withMonth: true }) => {
  const moment = sql`now() - ${daysAgo} * interval '1 day'`;
  if (options.withMonth) await testApp.db.execute(sql`select add_login_log_month((${moment})::date)`);
  await testApp.db.execute(sql`
    insert into login_log (network_id, site, login_status, reason, ip_address, login_time)
    values (${networkId}, ${site}, 'Success', 'password', '10.0.0.1', ${moment})`);
};

const texts = async (query: ReturnType<typeof sql>): Promise<unknown[]> =>
  (await testApp.db.execute<{ text: unknown }>(query)).rows.map(({ text }) => text);
const lines = () => texts(sql`select site as text from login_log order by login_time`);
/** The sites that are still counted. */
const named = () => texts(sql`select name as text from login_log_names where kind = 'site'`);
const counted = () => texts(sql`select sum(lines)::int as text from login_log_days`);
const countedByHour = () =>
  texts(sql`select sum(quarter_1 + quarter_2 + quarter_3 + quarter_4)::int as text from login_log_hours`);
const months = () =>
  texts(sql`select relname as text from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'login_log'::regclass order by relname`);
/** The partition that contains a line. */
const placeOf = (site: string) =>
  texts(sql`select tableoid::regclass::text as text from login_log where site = ${site}`);
const monthOf = (daysAgo: number) =>
  texts(
    sql`select 'login_log_' || to_char(now() at time zone 'UTC' - ${daysAgo} * interval '1 day', 'YYYY_MM') as text`,
  );

describe('§2.13 retention of the login log', () => {
  test('partitions that ended before it are dropped, and their counters with them', async () => {
    await write('old.org', 500);
    await write('new.org', 1);
    expect(await counted()).toEqual([2]);
    await maintainLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['new.org']);
    expect(await counted()).toEqual([1]);
    expect(await countedByHour()).toEqual([1]);
    expect(await named()).toEqual(['new.org']);
    expect(await months()).not.toContainEqual((await monthOf(500))[0]);
  });

  test('a partition that is partly too old is kept until all of it is', async () => {
    await write('first of a month.org', 70);
    await maintainLoginLog(testApp.parts, 70);
    expect(await lines()).toEqual(['first of a month.org']);
    await maintainLoginLog(testApp.parts, 35);
    expect(await lines()).toEqual([]);
  });

  test('0 days means forever', async () => {
    await write('ancient.org', 3_000);
    await maintainLoginLog(testApp.parts, 0);
    expect(await lines()).toEqual(['ancient.org']);
  });

  test('the partitions of the next two months exist in advance', async () => {
    await maintainLoginLog(testApp.parts, 400);
    const wanted = await texts(sql`select 'login_log_' || to_char(month, 'YYYY_MM') as text from generate_series(
      date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '2 months', interval '1 month') as month`);
    expect(await months()).toEqual(expect.arrayContaining(wanted));
  });

  test('a line that was written before its partition existed moves there, and is counted once', async () => {
    await testApp.db.execute(sql`drop table if exists ${sql.raw(String((await monthOf(0))[0]))}`);
    await write('early.org', 0, { withMonth: false });
    expect(await placeOf('early.org')).toEqual(['login_log_default']);
    await maintainLoginLog(testApp.parts, 400);
    expect(await placeOf('early.org')).toEqual(await monthOf(0));
    expect(await counted()).toEqual([1]);
    expect(await countedByHour()).toEqual([1]);
  });

  test('old lines without a partition are deleted too', async () => {
    await write('stray.org', 900, { withMonth: false });
    expect(await placeOf('stray.org')).toEqual(['login_log_default']);
    await maintainLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual([]);
    expect(await countedByHour()).toEqual([null]);
  });

  test('several processes at once do no harm', async () => {
    await write('old.org', 500);
    await write('new.org', 1);
    await Promise.all(Array.from({ length: 6 }, () => maintainLoginLog(testApp.parts, 400)));
    await maintainLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['new.org']);
  });

  test('it does not block sign-ins: the next sweep does it', async () => {
    await write('old.org', 500);
    const client = await testApp.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into login_log (network_id, site, login_status, reason, ip_address) values ($1, 'now.org', 'Success', 'password', '10.0.0.1')`,
        [networkId],
      );
      await maintainLoginLog(testApp.parts, 400);
      expect(await lines()).toEqual(['old.org']);
      await client.query('commit');
    } finally {
      client.release();
    }
    await maintainLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['now.org']);
  });
});
