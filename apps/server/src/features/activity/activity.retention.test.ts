import { sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkNamed } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { keepLoginLog } from './activity.service.ts';

let testApp: TestApp;
let networkId: number;
beforeAll(async () => {
  testApp = await buildTestApp();
  networkId = (await networkNamed(testApp.db, 'northlab')).id;
});
beforeEach(() => testApp.db.execute(sql`truncate login_log, login_log_days, login_log_names`));

/** A line so many days ago; its month is made first, unless it is to wait for one. */
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
const months = () =>
  texts(sql`select relname as text from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'login_log'::regclass order by relname`);
/** The table that a line stands in. */
const placeOf = (site: string) =>
  texts(sql`select tableoid::regclass::text as text from login_log where site = ${site}`);
const monthOf = (daysAgo: number) =>
  texts(
    sql`select 'login_log_' || to_char(now() at time zone 'UTC' - ${daysAgo} * interval '1 day', 'YYYY_MM') as text`,
  );

describe('§2.13 how long the login log is kept', () => {
  test('months that ended before it go whole, and their counters with them', async () => {
    await write('old.org', 500);
    await write('new.org', 1);
    expect(await counted()).toEqual([2]);
    await keepLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['new.org']);
    expect(await counted()).toEqual([1]);
    expect(await named()).toEqual(['new.org']);
    expect(await months()).not.toContainEqual((await monthOf(500))[0]);
  });

  test('lines of a month that is partly too old stay until it is wholly so', async () => {
    await write('first of a month.org', 70);
    await keepLoginLog(testApp.parts, 70);
    expect(await lines()).toEqual(['first of a month.org']);
    await keepLoginLog(testApp.parts, 35);
    expect(await lines()).toEqual([]);
  });

  test('0 days are for ever', async () => {
    await write('ancient.org', 3_000);
    await keepLoginLog(testApp.parts, 0);
    expect(await lines()).toEqual(['ancient.org']);
  });

  test('the coming two months stand ready', async () => {
    await keepLoginLog(testApp.parts, 400);
    const wanted = await texts(sql`select 'login_log_' || to_char(month, 'YYYY_MM') as text from generate_series(
      date_trunc('month', now() at time zone 'UTC'), now() at time zone 'UTC' + interval '2 months', interval '1 month') as month`);
    expect(await months()).toEqual(expect.arrayContaining(wanted));
  });

  test('a line that came before its month moves there when it is made, and is counted once', async () => {
    await testApp.db.execute(sql`drop table if exists ${sql.raw(String((await monthOf(0))[0]))}`);
    await write('early.org', 0, { withMonth: false });
    expect(await placeOf('early.org')).toEqual(['login_log_default']);
    await keepLoginLog(testApp.parts, 400);
    expect(await placeOf('early.org')).toEqual(await monthOf(0));
    expect(await counted()).toEqual([1]);
  });

  test('lines too old that no month was made for go too', async () => {
    await write('stray.org', 900, { withMonth: false });
    expect(await placeOf('stray.org')).toEqual(['login_log_default']);
    await keepLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual([]);
  });

  test('several processes at once do no harm', async () => {
    await write('old.org', 500);
    await write('new.org', 1);
    await Promise.all(Array.from({ length: 6 }, () => keepLoginLog(testApp.parts, 400)));
    await keepLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['new.org']);
  });

  test('it never waits for long while somebody signs in: the next time does it', async () => {
    await write('old.org', 500);
    const client = await testApp.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into login_log (network_id, site, login_status, reason, ip_address) values ($1, 'now.org', 'Success', 'password', '10.0.0.1')`,
        [networkId],
      );
      await keepLoginLog(testApp.parts, 400);
      expect(await lines()).toEqual(['old.org']);
      await client.query('commit');
    } finally {
      client.release();
    }
    await keepLoginLog(testApp.parts, 400);
    expect(await lines()).toEqual(['now.org']);
  });
});
