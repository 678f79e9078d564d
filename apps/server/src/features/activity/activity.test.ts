import { listActivity } from '@opensocial/contract';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog, type users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let owner: ReturnType<TestApp['as']>;
let member: ReturnType<TestApp['as']>;
let site: { id: number };
beforeAll(async () => {
  testApp = await buildTestApp();
  const north = await networkNamed(testApp.db, 'northlab');
  const south = await networkNamed(testApp.db, 'southlab');
  owner = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
  const user = await makeUser(testApp.db, { email: 'bea@northlab.org' });
  member = await as(user);
  site = await makeSite(testApp.db, { domain: 'lab.org' });
  const line = (network_id: number, rest: Partial<typeof loginLog.$inferInsert>) => ({
    network_id,
    site_id: site.id,
    site: 'lab.org',
    email: 'ana@northlab.org',
    login_status: 'Success' as const,
    reason: 'password',
    ip_address: '10.0.0.1',
    login_time: new Date('2026-03-10T12:00:00Z'),
    ...rest,
  });
  await testApp.db.insert(loginLog).values([
    line(north.id, { login_time: new Date('2026-03-09T23:59:59Z') }),
    line(north.id, { login_status: 'Failed', reason: 'wrong password', ip_address: '10.0.0.2' }),
    line(north.id, { site_id: null, site: 'x.lab.org', login_time: new Date('2026-03-10T23:59:59Z') }),
    line(north.id, { email: 'bea@northlab.org', user_id: user.id, login_time: new Date('2026-03-11T00:00:00Z') }),
    line(north.id, {
      email: null,
      login_status: 'Failed',
      reason: 'google: access_denied',
      login_time: new Date('2026-03-12T00:00:00Z'),
    }),
    line(north.id, { email: 'cleo@northlab.org', login_time: new Date('2026-03-13T00:00:00Z') }),
    line(south.id, {}),
  ]);
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const list = (call: ReturnType<TestApp['as']>, changes: Record<string, unknown> = {}) =>
  call(listActivity, { params: { server: 'northlab', lastid: 0, ...changes } });
const total = async (changes: Record<string, unknown>) => (await list(owner, changes)).all_logs;

describe('§7.7 the login log', () => {
  test("shows an owner the network's lines, newest first, a page at a time", async () => {
    const first = await list(owner);
    expect(first.all_logs).toBe(6);
    expect(first.logs.map(({ email }) => email.split('@')[0])).toEqual(['cleo', '', 'bea', 'ana', 'ana']);
    expect(first.logs[0]).toMatchObject({
      site: 'lab.org',
      login_status: 'Success',
      ip_address: '10.0.0.1',
      login_time: '2026-03-13T00:00:00.000Z',
      last_login: '2026-03-13T00:00:00.000Z',
    });
    const second = await list(owner, { lastid: first.logs.at(-1)?.id });
    expect(second.logs).toHaveLength(1);
  });

  test('shows a user only their own lines', async () => {
    expect(await list(member)).toMatchObject({ all_logs: 1, logs: [{ email: 'bea@northlab.org' }] });
  });

  test('is filtered by status, site, time and keyword, all at once', async () => {
    expect(await total({ filter: 'Failed' })).toBe(2);
    expect(await total({ site: String(site.id) })).toBe(5);
    expect(await total({ site: 'lab.org' })).toBe(6);
    expect(await total({ site: 'x.lab' })).toBe(1);
    expect(await total({ time: '2026-03-10,2026-03-10' })).toBe(2);
    expect(await total({ time: '2026-03-10,2026-03-11' })).toBe(3);
    expect(await total({ keyword: 'cleo' })).toBe(1);
    expect(await total({ keyword: '10.0.0.2' })).toBe(1);
    expect(await total({ keyword: '10.0.' })).toBe(6);
    // No email matches, so the sites are searched; if both match, the emails win.
    expect(await total({ keyword: 'x.LAB' })).toBe(1);
    expect(await total({ keyword: 'lab.org' })).toBe(5);
    expect(await total({ keyword: 'x.lab', filter: 'Failed' })).toBe(0);
    expect(
      await total({ filter: 'Failed', site: String(site.id), time: '2026-03-10,2026-03-10', keyword: 'ana' }),
    ).toBe(1);
  });

  test('is filtered by the reason of failures, which ends before its first colon, alone and with days', async () => {
    const totalOf = async (reason: string, changes: Record<string, unknown> = {}) => {
      const params = { server: 'northlab', lastid: 0, ...changes };
      return (await owner(listActivity, { params, query: { reason } })).all_logs;
    };
    expect(await totalOf('wrong password')).toBe(1);
    expect(await totalOf('wrong')).toBe(0);
    expect(await totalOf('google')).toBe(1);
    // The reason of a successful sign-in is the way in which it was made.
    expect(await totalOf('password')).toBe(0);
    expect(await totalOf('wrong password', { time: '2026-03-10,2026-03-10' })).toBe(1);
    expect(await totalOf('wrong password', { time: '2026-03-11,2026-03-12' })).toBe(0);
    expect(await totalOf('%')).toBe(0);
  });

  test('is filtered by a moment since which lines are shown, alone and with days', async () => {
    const totalSince = async (since: string, time?: string) => {
      const params = { server: 'northlab', lastid: 0, time };
      return (await owner(listActivity, { params, query: { since } })).all_logs;
    };
    expect(await totalSince('2026-03-10T12:00:00Z')).toBe(5);
    expect(await totalSince('2026-03-10T12:00:01Z')).toBe(4);
    expect(await totalSince('2026-03-10T12:00:01Z', '2026-03-10,2026-03-11')).toBe(2);
    expect(await totalSince('2026-03-01T00:00:00Z', '2026-03-10,2026-03-10')).toBe(2);
    expect(await totalSince('2026-03-12T00:00:00Z', '2026-03-10,2026-03-10')).toBe(0);
    await expect(totalSince('yesterday')).rejects.toMatchObject({ status: 400 });
  });

  test('is searched from two characters', async () => {
    expect(await total({ keyword: 'CL' })).toBe(1);
    expect(await total({ keyword: 'a@' })).toBe(4);
    expect(await total({ keyword: 'x.' })).toBe(1);
    expect(await total({ site: 'x.' })).toBe(1);
    expect(await total({ keyword: 'ce' })).toBe(0);
    expect(await total({ keyword: '0.' })).toBe(0);
    expect(await total({ keyword: '1.' })).toBe(0);
  });

  test('accepts only two valid days', async () => {
    for (const time of ['2026-03-10', '2026-02-30,2026-03-01', '2026-3-1,2026-3-2', 'x,y'])
      await expect(list(owner, { time })).rejects.toMatchObject({ status: 400 });
  });
});

describe('§2.13 the login log by site', () => {
  const sorted = async (sort: 'site' | '-site', rest: Record<string, unknown> = {}, call = owner) =>
    call(listActivity, { params: { server: 'northlab', lastid: 0, ...rest }, query: { sort } });
  const sitesOf = ({ logs }: Awaited<ReturnType<typeof sorted>>) => logs.map((line) => line.site);

  test('is sorted as a whole in both directions, newest first within a site, and paged', async () => {
    const first = await sorted('site');
    expect(sitesOf(first)).toEqual(Array.from({ length: 5 }, () => 'lab.org'));
    expect(first.all_logs).toBe(6);
    expect(first.logs.map(({ login_time }) => login_time)).toEqual(
      first.logs
        .map(({ login_time }) => login_time)
        .toSorted()
        .toReversed(),
    );
    expect(sitesOf(await sorted('site', { lastid: first.logs.at(-1)?.id }))).toEqual(['x.lab.org']);
    expect(sitesOf(await sorted('-site'))[0]).toBe('x.lab.org');
    expect(sitesOf(await sorted('-site', { filter: 'Failed' }))).toEqual(['lab.org', 'lab.org']);
    expect(sitesOf(await sorted('-site', {}, member))).toEqual(['lab.org']);
    await expect(sorted('-site', { lastid: 999_999_999 })).rejects.toMatchObject({ code: 'cursor_gone' });
    await expect(sorted('email' as 'site')).rejects.toMatchObject({ status: 400 });
  });

  test('THREATS: a cursor reveals nothing about lines of other networks, and other sort orders are refused', async () => {
    const north = await networkNamed(testApp.db, 'northlab');
    const lines = await testApp.db
      .select({ id: loginLog.id, network: loginLog.network_id, user: loginLog.user_id })
      .from(loginLog);
    const south = lines.find(({ network }) => network !== north.id)?.id ?? 0;
    const others = lines.find(({ network, user }) => network === north.id && user === null)?.id ?? 0;
    const gone = { status: 410, code: 'cursor_gone' };
    for (const sort of ['site', '-site'] as const) {
      await expect(sorted(sort, { lastid: south })).rejects.toMatchObject(gone);
      await expect(sorted(sort, { lastid: others }, member)).rejects.toMatchObject(gone);
    }
    for (const sort of ['', 'id', '-', '--site', 'site,id', "site'; select 1", '__proto__', 'Site'])
      await expect(sorted(sort as 'site')).rejects.toMatchObject({ status: 400, code: 'invalid_input' });
  });

  test('is the same list if it has too many lines to be sorted at once', async () => {
    const reader = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const { id } = await networkNamed(testApp.db, 'opensocial');
    // Some sites have many lines and some few; names differ in case; many lines share a moment.
    await testApp.db.execute(sql`
      insert into login_log (network_id, site, email, login_status, reason, ip_address, login_time)
      select ${id}, (array['beta.org', 'Alpha.org', 'alpha.org', 'gamma.org', 'beta.org'])[line % 5 + 1] || case when line % 1000 = 0 then line::text else '' end,
        'p' || line % 7 || '@x.org', case when line % 3 = 0 then 'Failed' else 'Success' end, 'r', '10.0.0.1',
        timestamptz '2026-06-01 08:00Z' + line / 9 * interval '1 minute'
      from generate_series(1, 54000) as line`);
    for (const sort of ['site', '-site'] as const)
      for (const [rest, condition] of [
        [{}, sql`true`],
        [{ filter: 'Success' }, sql`login_status = 'Success'`],
        [
          { filter: 'Failed', time: '2026-06-01,2026-06-02' },
          sql`login_status = 'Failed' and login_time < '2026-06-03'`,
        ],
        [{ site: 'alpha' }, sql`site ilike '%alpha%'`],
      ] as const) {
        const direction = sql.raw(sort === 'site' ? 'asc' : 'desc');
        const { rows } = await testApp.db.execute<{ id: string }>(sql`
          select id from login_log where network_id = ${id} and ${condition}
          order by lower(site) collate "C" ${direction}, login_time desc, id desc`);
        const ids = rows.map((row) => Number(row.id));
        // At the beginning and the end, within a site, and at the boundary between two sites.
        for (const share of [0, 1 / 7, 0.2, 0.4, 0.5, 0.6, 0.8, 1]) {
          const place = Math.max(0, Math.floor(ids.length * share) - (share === 0 ? 0 : 3));
          const asked = { params: { server: 'opensocial', lastid: ids[place - 1] ?? 0, ...rest }, query: { sort } };
          const page = await reader(listActivity, asked);
          expect(page.logs.map((line) => line.id)).toEqual(ids.slice(place, place + 5));
          expect(page.all_logs).toBe(ids.length);
        }
      }
  });
});

describe('§2.13 the export of the login log', () => {
  const download = async (user: typeof users.$inferSelect, rest = '', network = 'northlab') => {
    const browser = await signInto(testApp.db, testApp.browser(), user);
    return browser.fetch(`/server/sso/activity_export/${network}${rest}/csv`, {}, {});
  };
  const linesOf = async (answer: Response) => (await answer.text()).trimEnd().split('\r\n');

  test('has the filtered lines, newest first, with formulas escaped', async () => {
    const exporter = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    const { id } = await networkNamed(testApp.db, 'southlab');
    await testApp.db.insert(loginLog).values([
      {
        network_id: id,
        site: 'export.org',
        email: '=cmd@export.org',
        login_status: 'Failed',
        reason: 'wrong password',
        ip_address: '10.0.0.9',
        user_agent: '=HYPERLINK("x"), Firefox',
        mfa: 'totp',
        login_time: new Date('2026-04-01T08:00:00Z'),
      },
      {
        network_id: id,
        site: 'export.org',
        login_status: 'Success',
        reason: 'password',
        ip_address: '10.0.0.9',
        login_time: new Date('2026-04-02T08:00:00Z'),
      },
    ]);
    const answer = await download(exporter, '/filter/Failed/export.org', 'southlab');
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain('activity-southlab.csv');
    expect(await linesOf(answer)).toEqual([
      'time,status,site,email,ip_address,reason,second_factor,browser',
      `2026-04-01T08:00:00.000Z,Failed,export.org,'=cmd@export.org,10.0.0.9,wrong password,totp,"'=HYPERLINK(""x""), Firefox"`,
    ]);
    const times = (await linesOf(await download(exporter, '/site/export.org', 'southlab'))).slice(1);
    expect(times.map((line) => line.slice(0, 10))).toEqual(['2026-04-02', '2026-04-01']);
  });

  test('has every line, also beyond one query, and none twice', async () => {
    const exporter = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    const { id } = await networkNamed(testApp.db, 'southlab');
    // Many lines share a moment, and moments have more digits than a Date.
    await testApp.db.execute(sql`
      insert into login_log (network_id, site, login_status, reason, ip_address, login_time)
      select ${id}, 'many.org', 'Success', 'line ' || line, '10.0.0.1', timestamptz '2026-05-01 08:00Z' + line / 7 * interval '1 microsecond'
      from generate_series(1, 2500) as line`);
    const lines = (await linesOf(await download(exporter, '/site/many.org', 'southlab'))).slice(1);
    expect(new Set(lines.map((line) => line.split(',')[5])).size).toBe(2_500);
    expect(lines).toHaveLength(2_500);
  });

  test("is for members of the network, and contains only a user's own lines", async () => {
    const user = await makeUser(testApp.db);
    await testApp.db.insert(loginLog).values({
      network_id: (await networkNamed(testApp.db, 'northlab')).id,
      user_id: user.id,
      site: 'own.org',
      login_status: 'Success',
      reason: 'password',
      ip_address: '10.0.0.1',
    });
    expect((await linesOf(await download(user))).slice(1)).toEqual([expect.stringContaining(',own.org,')]);
    expect((await download(user, '', 'southlab')).status).toBe(404);
  });
});
