import { listActivity } from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { findFileMatch, findLinesAfter } from './activity.queries.ts';

let testApp: TestApp;
let networkId: number;
beforeAll(async () => {
  testApp = await buildTestApp();
  networkId = (await networkNamed(testApp.db, 'northlab')).id;
  // Enough lines for the planner to prefer the index, most of them successes as in a real log.
  await testApp.db.execute(sql`
    insert into login_log (network_id, site, email, login_status, reason, ip_address, login_time)
    select ${networkId}, 'lab.org', 'ana@northlab.org', case when n % 10 = 0 then 'Failed' else 'Success' end,
      case when n % 10 <> 0 then 'password' when n % 600 = 0 then 'site closed' else 'wrong password' end, '10.0.0.1',
      '2026-03-31T12:00:00Z'::timestamptz - n * interval '12 minutes'
    from generate_series(1, 6000) as n`);
  await testApp.db.execute(sql`analyze login_log`);
});

/** What PostgreSQL does for a page with the condition of the list, and whether it has read other lines too. */
const planOf = async (reason: string, time?: { start: Date; end: Date }) => {
  const match = await findFileMatch(testApp.db, { networkId, status: 'Failed', reason, period: time });
  const lines = findLinesAfter(testApp.db, match, undefined, 50);
  const { rows } = await testApp.db.execute<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, costs off, timing off, summary off) ${lines.getSQL()}`,
  );
  const text = rows.map((row) => row['QUERY PLAN']).join('\n');
  return { text, hasReadOthers: text.includes('Rows Removed by Filter') };
};

const march = { start: new Date('2026-03-01T00:00:00Z'), end: new Date('2026-04-01T00:00:00Z') };

describe('failed sign-ins by their reason', () => {
  test.each([
    ['a rare reason', 'site closed', undefined],
    ['a rare reason within days', 'site closed', march],
    ['a reason without any line', 'site disabled', undefined],
    ['a reason without any line within days', 'site disabled', march],
    ['a frequent reason', 'wrong password', undefined],
    ['a frequent reason within days', 'wrong password', march],
  ])('are found by an index, which reads no other line: %s', async (_, reason, time) => {
    const { text, hasReadOthers } = await planOf(reason, time);
    expect(text).toMatch(/(?:using|on) login_log_default__failure_reason/);
    expect([hasReadOthers, text]).toEqual([false, text]);
  });

  test('have the index in months that are added later', async () => {
    await testApp.db.execute(sql`select add_login_log_month('2031-01-01')`);
    const { rows } = await testApp.db.execute(sql`
      select from pg_index where indrelid = 'login_log_2031_01'::regclass and indisvalid
        and pg_get_indexdef(indexrelid) like '%split_part(reason, %WHERE (login_status = ''Failed''%'`);
    expect(rows).toHaveLength(1);
  });

  test('are counted by the list', async () => {
    const owner = await makeUser(testApp.db, { owns: ['northlab'] });
    const call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
    const totalOf = async (reason: string, time?: string) =>
      (await call(listActivity, { params: { server: 'northlab', lastid: 0, time }, query: { reason } })).all_logs;
    expect(await totalOf('site closed')).toBe(10);
    expect(await totalOf('site disabled')).toBe(0);
    expect(await totalOf('wrong password')).toBe(590);
    expect(await totalOf('wrong password', '2026-03-31,2026-03-31')).toBe(6);
  });
});
