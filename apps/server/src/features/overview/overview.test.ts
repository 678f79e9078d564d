import { getOverview, getSignInStatistics, listUsers } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loginLog, networkSettings, siteVisits, throttles, type users } from '../../database/schema.ts';
import { makePasskey, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { makeEndingKey } from '../../testing/app/ending-key.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { countPasswordAttempt } from '../sign-in/credentials/attempt-limits.ts';
import { countLargeNetworks, readSignIns } from './overview.service.ts';

const day = 86_400_000;

let testApp: TestApp;
let call: ReturnType<TestApp['as']>;
let owner: typeof users.$inferSelect;
let north: { id: number };
let south: { id: number };
beforeAll(async () => {
  testApp = await buildTestApp();
  const { db } = testApp;
  owner = await makeUser(db, { owns: ['northlab'] });
  call = testApp.as(await signInto(db, testApp.browser(), owner));
  north = await networkNamed(db, 'northlab');
  south = await networkNamed(db, 'southlab');
});
beforeEach(() =>
  testApp.db.execute(
    sql`truncate login_log, login_log_days, login_log_hours, login_log_names, login_log_backfill, throttles`,
  ),
);

type Line = Partial<typeof loginLog.$inferInsert> & { at: Date | string };

const write = (...lines: Line[]) =>
  testApp.db.insert(loginLog).values(
    lines.map(({ at, ...line }) => ({
      network_id: north.id,
      site: 'reports.org',
      login_status: 'Success' as const,
      reason: 'password',
      ip_address: '192.0.2.1',
      login_time: new Date(at),
      ...line,
    })),
  );

const overview = (caller = call) => caller(getOverview, { params: { server: 'northlab' } });
const statistics = (period: '24h' | '7d' | '30d' | '90d', zone?: string) =>
  call(getSignInStatistics, { params: { server: 'northlab', period }, query: { ...(zone && { zone }) } });
const readAt = (now: string, period: '24h' | '7d' | '30d' | '90d', zone: string) =>
  readSignIns(testApp.db, north.id, { period, zone, now: new Date(now) });
/** The buckets in which somebody signed in, as the beginning and the number. */
const filled = ({ buckets }: Awaited<ReturnType<typeof readAt>>) =>
  buckets.filter(({ succeeded }) => succeeded > 0).map(({ start, succeeded }) => [start, succeeded]);

describe('§2.17 sign-ins', () => {
  test('are counted per hour and per day up to now, also if there are none', async () => {
    const now = Date.now();
    await write({ at: new Date(now) }, { at: new Date(now) }, { at: new Date(now), login_status: 'Failed' });
    const hours = await statistics('24h');
    expect(hours.unit).toBe('hour');
    expect(hours.buckets).toHaveLength(24);
    expect(hours.buckets.at(-1)).toMatchObject({ succeeded: 2, failed: 1 });
    expect(hours.buckets.slice(0, -1).every(({ succeeded, failed }) => succeeded + failed === 0)).toBe(true);
    for (const [period, length] of [
      ['7d', 7],
      ['30d', 30],
      ['90d', 90],
    ] as const) {
      const days = await statistics(period);
      expect(days).toMatchObject({ unit: 'day', is_complete: true });
      expect(days.buckets).toHaveLength(length);
      expect(days.buckets.at(-1)).toMatchObject({ succeeded: 2, failed: 1 });
    }
  });

  test('agree with the lines of the log in every zone', async () => {
    const now = new Date('2026-03-30T10:20:00Z');
    const moments = Array.from({ length: 3_000 }, (_, index) => new Date(now.getTime() - index * 47 * 60_000));
    await write(
      ...moments.map((at, index) => ({
        at,
        login_status: index % 5 ? ('Success' as const) : ('Failed' as const),
        reason: `reason ${index % 3}`,
      })),
    );
    for (const zone of [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Pacific/Chatham',
      'Australia/Lord_Howe',
      'America/St_Johns',
    ])
      for (const period of ['24h', '7d', '30d', '90d'] as const) {
        const { buckets, failures } = await readAt(now.toISOString(), period, zone);
        const unit = period === '24h' ? 'hour' : 'day';
        const { rows } = await testApp.db.execute<{ start: Date; succeeded: number; failed: number }>(sql`
          select date_trunc(${unit}, login_time, ${zone}) as start, (count(*) filter (where login_status = 'Success'))::int as succeeded,
            (count(*) filter (where login_status = 'Failed'))::int as failed
          from login_log where login_time >= ${buckets[0]?.start ?? ''}::timestamptz group by 1 order by 1`);
        expect(buckets.filter(({ succeeded, failed }) => succeeded + failed > 0)).toEqual(
          rows.map(({ start, ...counted }) => ({ start: new Date(start).toISOString(), ...counted })),
        );
        const failed = buckets.reduce((sum, bucket) => sum + bucket.failed, 0);
        expect(failures.reduce((sum, { lines }) => sum + lines, 0)).toBe(failed);
      }
  });

  test('an hour begins at half past an hour of UTC in India, and a day too', async () => {
    // 23:59:59 on 9 June and 00:00 on 10 June in India.
    await write({ at: '2026-06-09T18:29:59.999Z' }, { at: '2026-06-09T18:30:00Z' }, { at: '2026-06-09T18:44:00Z' });
    expect(filled(await readAt('2026-06-10T03:00:00Z', '7d', 'Asia/Kolkata'))).toEqual([
      ['2026-06-08T18:30:00.000Z', 1],
      ['2026-06-09T18:30:00.000Z', 2],
    ]);
    expect(filled(await readAt('2026-06-10T03:00:00Z', '24h', 'Asia/Kolkata'))).toEqual([
      ['2026-06-09T17:30:00.000Z', 1],
      ['2026-06-09T18:30:00.000Z', 2],
    ]);
    // In Nepal a day begins at 18:15 UTC.
    expect(filled(await readAt('2026-06-10T03:00:00Z', '7d', 'Asia/Kathmandu'))).toEqual([
      ['2026-06-09T18:15:00.000Z', 3],
    ]);
  });

  test('a day of a change of the clocks has 23 or 25 hours, and both hours of the same name are shown', async () => {
    // Berlin: the clocks go from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October 2026.
    await write(
      { at: '2026-03-28T22:59:59Z' },
      { at: '2026-03-28T23:00:00Z' },
      { at: '2026-03-29T21:59:59Z' },
      { at: '2026-03-29T22:00:00Z' },
    );
    expect(filled(await readAt('2026-03-30T12:00:00Z', '7d', 'Europe/Berlin'))).toEqual([
      ['2026-03-27T23:00:00.000Z', 1],
      ['2026-03-28T23:00:00.000Z', 2],
      ['2026-03-29T22:00:00.000Z', 1],
    ]);
    await write(
      { at: '2026-10-25T00:30:00Z' },
      { at: '2026-10-25T01:30:00Z' },
      { at: '2026-10-25T22:59:59Z' },
      { at: '2026-10-25T23:00:00Z' },
    );
    const autumn = await readAt('2026-10-26T12:00:00Z', '7d', 'Europe/Berlin');
    expect(filled(autumn)).toEqual([
      ['2026-10-24T22:00:00.000Z', 3],
      ['2026-10-25T23:00:00.000Z', 1],
    ]);
    expect(autumn.buckets).toHaveLength(7);
    const hours = filled(await readAt('2026-10-25T12:00:00Z', '24h', 'Europe/Berlin'));
    expect(hours.slice(0, 2)).toEqual([
      ['2026-10-25T00:00:00.000Z', 1],
      ['2026-10-25T01:00:00.000Z', 1],
    ]);
  });

  test('failures are listed by reason, social logins by provider', async () => {
    const at = new Date();
    const failed = (reason: string) => ({ at, login_status: 'Failed' as const, reason });
    await write(
      failed('wrong password'),
      failed('wrong password'),
      failed('google: access_denied'),
      failed('google: x'),
      failed('google: no account'),
      {
        at,
      },
    );
    expect((await statistics('7d')).failures).toEqual([
      { reason: 'google', lines: 3 },
      { reason: 'wrong password', lines: 2 },
    ]);
  });

  test('of other networks are not counted, and a time zone must exist', async () => {
    await write(
      { at: new Date(), network_id: south.id },
      { at: new Date(), network_id: south.id, login_status: 'Failed' },
    );
    expect(filled(await statistics('7d'))).toEqual([]);
    expect((await statistics('7d')).failures).toEqual([]);
    for (const zone of ['Nowhere/Else', '+05:30', "'; drop table users; --"])
      await expect(statistics('7d', zone)).rejects.toMatchObject({ status: 400 });
  });

  test('say whether earlier lines are still being counted', async () => {
    await testApp.db.execute(sql`insert into login_log_backfill (last_id) values (100)`);
    expect((await statistics('7d')).is_complete).toBe(false);
  });
});

describe('§2.17 people', () => {
  test('pending invitations are as many as the list of users shows', async () => {
    await makeUser(testApp.db, { status: 'NonConfirmed', provisional: true });
    const { all_users } = await call(listUsers, {
      params: { serverId: north.id, serverName: 'northlab', lastId: 0, filter: 'NonConfirmed' },
    });
    const { members, pending } = await overview();
    expect(pending).toBe(all_users);
    expect(members).toBeGreaterThan(pending);
  });

  test('second factors are counted only of accounts that this network alone administers', async () => {
    const { db } = testApp;
    const before = (await overview()).adoption;
    await makeUser(db);
    await makeUser(db, { email_mfa: true });
    const withPasskey = await makeUser(db, { email_mfa: true });
    await makePasskey(db, withPasskey);
    await makePasskey(db, withPasskey, 'My laptop');
    // None of these may be counted.
    const away = [
      await makeUser(db, { network: 'southlab', alsoIn: ['northlab'], email_mfa: true }),
      await makeUser(db, { alsoIn: ['southlab'], email_mfa: true }),
      await makeUser(db, { network: 'southlab', email_mfa: true }),
      await makeUser(db, { user_mode: 'Disable', email_mfa: true }),
      await makeUser(db, { status: 'NonConfirmed', email_mfa: true }),
    ];
    for (const person of away) await makePasskey(db, person);
    expect((await overview()).adoption).toMatchObject({
      people: (before?.people ?? 0) + 3,
      with_factor: (before?.with_factor ?? 0) + 2,
      with_passkey: (before?.with_passkey ?? 0) + 1,
    });
  });

  test('of a large network are counted by the job in batches', async () => {
    const { db } = testApp;
    const { adoption } = await overview();
    await countLargeNetworks(db, { people: 0 });
    const { rows } = await db.execute<{ people: number; with_factor: number; with_passkey: number }>(
      sql`select people::int, with_factor::int, with_passkey::int from people_counts where network_id = ${north.id}`,
    );
    expect(adoption).toMatchObject({ ...rows[0] });
    // A count that is younger than an hour is kept.
    await makeUser(db);
    await countLargeNetworks(db, { people: 0 });
    const counted = await db.execute<{ people: number }>(
      sql`select people::int from people_counts where network_id = ${north.id}`,
    );
    expect(counted.rows[0]?.people).toBe(rows[0]?.people);
  });
});

describe('§2.17 accounts that will be locked', () => {
  const setInactivity = (days: number) =>
    testApp.db.update(networkSettings).set({ user_inactivity: days }).where(eq(networkSettings.network_id, north.id));
  const daysAgo = (days: number) => new Date(Date.now() - days * day);

  test('are those that nobody has used, within a week', async () => {
    const { db } = testApp;
    expect((await overview()).unused).toBeNull();
    await setInactivity(90);
    const created_at = daysAgo(300);
    const soon = await makeUser(db, { created_at, last_login_at: daysAgo(86) });
    const sooner = await makeUser(db, { created_at, last_login_at: daysAgo(88) });
    for (const draft of [
      { last_login_at: daysAgo(80) },
      { last_login_at: daysAgo(88), bypass_inactivity: true },
      { last_login_at: daysAgo(88), reopened_at: daysAgo(10) },
      { last_login_at: daysAgo(88), user_mode: 'Disable' as const },
      { last_login_at: daysAgo(88), network: 'southlab', alsoIn: ['northlab'] },
      { last_login_at: daysAgo(88), alsoIn: ['southlab'] },
    ])
      await makeUser(db, { created_at, ...draft });
    const { unused } = await overview();
    expect(unused).toMatchObject({ days: 7, total: 2 });
    expect(unused?.accounts.map(({ id }) => id)).toEqual([sooner.id, soon.id]);
    expect(unused?.accounts[0]?.disabled_at).toBe(
      new Date((sooner.last_login_at?.getTime() ?? 0) + 90 * day).toISOString(),
    );
    await setInactivity(0);
  });

  test('are those with many failed passwords, if no other network relies on the lock', async () => {
    const { db } = testApp;
    const fail = async (user: typeof users.$inferSelect, times: number) => {
      for (let index = 0; index < times; index += 1)
        await countPasswordAttempt(db, { email: user.email, limit: 10, address: `10.0.${index}.1`, device: undefined });
      await write({
        at: new Date(),
        user_id: user.id,
        email: user.email,
        login_status: 'Failed',
        reason: 'wrong password',
      });
    };
    const attacked = await makeUser(db);
    const locked = await makeUser(db);
    await fail(attacked, 30);
    await fail(locked, 50);
    await fail(await makeUser(db), 3);
    await fail(await makeUser(db, { network: 'southlab', alsoIn: ['northlab'] }), 30);
    await fail(await makeUser(db, { alsoIn: ['southlab'] }), 30);
    const found = (await overview()).attacked;
    expect(found.map(({ id, failures, limit }) => [id, failures, limit])).toEqual([
      [locked.id, 50, 50],
      [attacked.id, 30, 50],
    ]);
    expect(found.map(({ locked_until }) => locked_until === null)).toEqual([false, true]);
    // The counter is reset after twelve hours.
    await db.update(throttles).set({ updated_at: daysAgo(1), blocked_until: null });
    expect((await overview()).attacked).toEqual([]);
  });
});

describe('§2.17 sites', () => {
  test('the most used ones and those that were never used', async () => {
    const { db } = testApp;
    await db.execute(sql`delete from sites where kind = 'site'`);
    const [often, seldom, failing, visited, fresh] = [
      await makeSite(db, { site_name: 'Often' }),
      await makeSite(db, { site_name: 'Seldom' }),
      await makeSite(db, { site_name: 'Failing' }),
      await makeSite(db, { site_name: 'Before the log' }),
      await makeSite(db, { site_name: 'Fresh' }),
    ];
    await makeSite(db, { network: 'southlab', domain: 'south.org' });
    await db.insert(siteVisits).values({ user_id: owner.id, site_id: visited.id });
    const at = '2026-10-02T10:00:00Z';
    await write(
      ...[often, often, often, seldom].map(({ domain }) => ({ at, site: domain.toUpperCase() })),
      { at, site: often.domain, login_status: 'Failed' },
      { at, site: failing.domain, login_status: 'Failed' },
      { at, site: fresh.domain, network_id: south.id },
    );
    const { sites } = await overview();
    expect(sites).toMatchObject({ total: 5, since: '2026-10-02' });
    expect(sites.most_used.map(({ id, succeeded, failed }) => [id, succeeded, failed])).toEqual([
      [often.id, 3, 1],
      [seldom.id, 1, 0],
    ]);
    expect(sites.never_used.total).toBe(2);
    expect(sites.never_used.sites.map(({ id }) => id)).toEqual([fresh.id, failing.id]);
  });

  test('of a network with many sites are counted by the job, which the numbers do not wait for', async () => {
    const { db } = testApp;
    await db.execute(sql`delete from sites where kind = 'site'`);
    const made = await makeSite(db, { site_name: 'Used' });
    const unused = await makeSite(db, { site_name: 'Unused' });
    await write({ at: new Date(), site: made.domain });
    await countLargeNetworks(db, { sites: 1 });
    const { rows } = await db.execute(
      sql`select total::int, unused::int, used_ids::text, unused_ids::text from site_use_counts where network_id = ${north.id}`,
    );
    expect(rows).toEqual([{ total: 2, unused: 1, used_ids: `{${made.id}}`, unused_ids: `{${unused.id}}` }]);
    await db.execute(sql`insert into sites (network_id, identity, acs, domain, site_name)
      select ${north.id}, 'https://many' || n, 'https://many/acs' || n, 'many' || n || '.org', 'Many' from generate_series(1, 1000) as n`);
    await write({ at: new Date(), site: made.domain }, { at: new Date(), site: unused.domain });
    const { sites } = await overview();
    expect(sites.total).toBe(1_002);
    expect(sites.most_used.map(({ id, succeeded }) => [id, succeeded])).toEqual([[made.id, 2]]);
    // It was used after the count.
    expect(sites.never_used).toEqual({ total: 1, sites: [] });
    await db.execute(sql`delete from site_use_counts`);
    expect((await overview()).sites.never_used.total).toBe(1_000);
  });

  test('an empty network has none', async () => {
    await testApp.db.execute(sql`delete from sites where kind = 'site'`);
    expect((await overview()).sites).toEqual({
      total: 0,
      most_used: [],
      never_used: { total: 0, sites: [] },
      since: null,
    });
  });

  test('certificates that expire within 60 days are listed, the first one first', async () => {
    const { db } = testApp;
    const late = await makeSite(db, { certificate: makeEndingKey(50).certificate });
    const early = await makeSite(db, { certificate: makeEndingKey(5).certificate });
    await makeSite(db, { certificate: makeEndingKey(500).certificate });
    await makeSite(db, { network: 'southlab', certificate: makeEndingKey(5).certificate });
    const { certificates } = await overview();
    expect(certificates.total).toBe(2);
    expect(certificates.ending.map(({ site, use }) => [site?.id, use])).toEqual([
      [early.id, 'signing'],
      [late.id, 'signing'],
    ]);
  });
});

describe('§2.17 mail', () => {
  test('the queue is shown to owners of the main network only', async () => {
    const { db, parts } = testApp;
    await db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
    await parts.jobs.sendMail(db, { to: 'a@b.org', subject: 'a', text: 'a', html: 'a' });
    await parts.jobs.sendMail(db, { to: 'a@b.org', subject: 'b', text: 'b', html: 'b' });
    expect((await overview()).mail).toEqual({ delivery: 'outbox', queue: null });
    const admin = await makeUser(db, { network: 'opensocial', owns: ['opensocial'] });
    const asAdmin = testApp.as(await signInto(db, testApp.browser(), admin));
    const { mail } = await asAdmin(getOverview, { params: { server: 'opensocial' } });
    expect(mail.queue).toMatchObject({ waiting: 2, retried: 0, given_up: 0 });
    expect(new Date(mail.queue?.oldest_at ?? 0).getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test('an owner of another network sees nothing', async () => {
    const other = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
    const asOther = testApp.as(await signInto(testApp.db, testApp.browser(), other));
    await expect(overview(asOther)).rejects.toMatchObject({ status: expect.any(Number) });
    await expect(asOther(getSignInStatistics, { params: { server: 'northlab', period: '7d' } })).rejects.toMatchObject({
      status: expect.any(Number),
    });
  });
});
