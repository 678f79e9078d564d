import { listActivity } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { loginLog, type users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

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
  await testApp.db
    .insert(loginLog)
    .values([
      line(north.id, { login_time: new Date('2026-03-09T23:59:59Z') }),
      line(north.id, { login_status: 'Failed', reason: 'wrong password', ip_address: '10.0.0.2' }),
      line(north.id, { site_id: null, site: 'x.lab.org', login_time: new Date('2026-03-10T23:59:59Z') }),
      line(north.id, { email: 'bea@northlab.org', user_id: user.id, login_time: new Date('2026-03-11T00:00:00Z') }),
      line(north.id, { email: null, login_status: 'Failed', login_time: new Date('2026-03-12T00:00:00Z') }),
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

  test('shows a user their own lines only', async () => {
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
    expect(
      await total({ filter: 'Failed', site: String(site.id), time: '2026-03-10,2026-03-10', keyword: 'ana' }),
    ).toBe(1);
  });

  test('takes two real days only', async () => {
    for (const time of ['2026-03-10', '2026-02-30,2026-03-01', '2026-3-1,2026-3-2', 'x,y'])
      await expect(list(owner, { time })).rejects.toMatchObject({ status: 400 });
  });
});
