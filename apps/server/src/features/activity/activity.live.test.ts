import type { LogLine } from '@opensocial/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { loginLog, type users } from '../../database/schema.ts';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { listenTo } from '../../testing/app/event-stream.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { eventually } from '../../testing/machine/eventually.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let owner: User;
beforeAll(async () => {
  testApp = await buildTestApp();
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
});

const linesIn = (text: string): LogLine[] =>
  [...text.matchAll(/^data: (.+)$/gm)].flatMap(([, data = '[]']) => JSON.parse(data) as LogLine[]);

/** `heard` waits for a line of every given site, and returns all lines. */
const follow = async (user: User, query = '', network = 'northlab') => {
  const browser = await signInto(testApp.db, testApp.browser(), user);
  const listener = await listenTo(testApp.app, `/server/sso/activity_live/${network}${query}`, browser);
  const heard = async (...wanted: string[]) => {
    const has = (text: string) => wanted.every((site) => linesIn(text).some((line) => line.site === site));
    return linesIn(await listener.until(has));
  };
  return { ...listener, heard };
};

const sitesOf = (lines: LogLine[]): string[] => lines.map(({ site }) => site);

const write = (site: string, values: Partial<typeof loginLog.$inferInsert> = {}) =>
  testApp.db.insert(loginLog).values({
    network_id: north.id,
    site,
    login_status: 'Success',
    reason: 'password',
    ip_address: '10.0.0.1',
    ...values,
  });

describe('§2.13 following the log', () => {
  test('a stream begins with the last 30 seconds and continues with new lines, each line once', async () => {
    await write('long-before.org', { login_time: new Date(Date.now() - 60_000) });
    await write('just-before.org');
    const listener = await follow(owner);
    expect(listener.status).toBe(200);
    await listener.heard('just-before.org');
    await write('first.org');
    await listener.heard('first.org');
    await write('second.org', { email: 'ana@northlab.org' });
    const lines = await listener.heard('second.org');
    expect(sitesOf(lines)).toEqual(['just-before.org', 'first.org', 'second.org']);
    expect(lines.at(-1)).toMatchObject({ email: 'ana@northlab.org', login_status: 'Success' });
  });

  test('a line that becomes visible late, after others with higher ids, is still reported', async () => {
    const listener = await follow(owner);
    const client = await testApp.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into login_log (network_id, site, login_status, reason, ip_address) values ($1, 'slow.org', 'Failed', 'wrong password', '10.0.0.77')`,
        [north.id],
      );
      await write('quick.org');
      expect(sitesOf(await listener.heard('quick.org'))).not.toContain('slow.org');
      await client.query('commit');
    } finally {
      client.release();
    }
    await listener.heard('slow.org');
  });

  test("a user receives their own lines, and nobody receives another network's", async () => {
    const user = await makeUser(testApp.db);
    const listener = await follow(user);
    await write('theirs.org', { user_id: owner.id });
    await write('elsewhere.org', { network_id: (await networkNamed(testApp.db, 'southlab')).id, user_id: user.id });
    await write('own.org', { user_id: user.id });
    expect(sitesOf(await listener.heard('own.org'))).toEqual(['own.org']);
    expect((await follow(user, '', 'southlab')).status).toBe(404);
  });

  test('the filters of the list apply', async () => {
    const listener = await follow(owner, '?filter=Failed&keyword=cleo%40&site=wanted');
    await write('wanted.org', { email: 'cleo@northlab.org' });
    await write('other.org', { email: 'cleo@northlab.org', login_status: 'Failed' });
    await write('wanted.org', { email: 'bea@northlab.org', login_status: 'Failed' });
    await write('wanted.org', { email: 'cleo@northlab.org', login_status: 'Failed', reason: 'this one' });
    expect((await listener.heard('wanted.org')).map(({ reason }) => reason)).toEqual(['this one']);
    expect((await follow(owner, '?filter=Wrong')).status).toBe(400);
  });

  test('many followers share one query per second, and nothing is queried once they are gone', async () => {
    const asked = vi.spyOn(testApp.pool, 'query');
    const questions = () =>
      asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('make_interval(secs')).length;
    const begun = performance.now();
    const listeners = await Promise.all(Array.from({ length: 5 }, () => follow(owner)));
    await write('shared.org');
    for (const { heard } of listeners) await heard('shared.org');
    const seconds = (performance.now() - begun) / 1_000;
    expect(questions()).toBeGreaterThan(0);
    expect(questions()).toBeLessThanOrEqual(Math.ceil(seconds) + 1);
    for (const { close } of listeners) close();
    // Once another client may follow again, the earlier five are forgotten.
    const other = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    await eventually(async () => {
      const next = await follow(owner);
      next.close();
      expect(next.status).toBe(200);
    });
    const south = await follow(other, '', 'southlab');
    const before = questions();
    await write('southern.org', { network_id: (await networkNamed(testApp.db, 'southlab')).id });
    await south.heard('southern.org');
    expect(questions() - before).toBeLessThanOrEqual(3);
    asked.mockRestore();
  });

  test('one user can follow in five places at most, and again once one is closed', async () => {
    const user = await makeUser(testApp.db);
    const [first] = await Promise.all(Array.from({ length: 5 }, () => follow(user)));
    expect((await follow(user)).status).toBe(429);
    first?.close();
    await eventually(async () => expect((await follow(user)).status).toBe(200));
  });
});
