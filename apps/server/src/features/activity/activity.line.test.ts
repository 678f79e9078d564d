import { join } from 'node:path';
import { getActivityLine } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { identitySessions, loginLog, memberships, sites, type users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { writeCountryDatabase } from '../../testing/services/country-database.ts';

let testApp: TestApp;
let north: { id: number };
let owner: ReturnType<TestApp['as']>;
beforeAll(async () => {
  const countries = join(await makeDataFolder(), 'countries.mmdb');
  await writeCountryDatabase(countries);
  testApp = await buildTestApp({ COUNTRY_DATABASE: countries });
  north = await networkNamed(testApp.db, 'northlab');
  owner = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

const write = async (line: Partial<typeof loginLog.$inferInsert> = {}): Promise<number> => {
  const [made] = await testApp.db
    .insert(loginLog)
    .values({
      network_id: north.id,
      site: 'lab.org',
      login_status: 'Success',
      reason: 'password',
      ip_address: '10.0.0.1',
      ...line,
    })
    .returning();
  return made?.id ?? 0;
};

const openSession = async (user: typeof users.$inferSelect, changes: Partial<typeof identitySessions.$inferInsert>) => {
  const [made] = await testApp.db
    .insert(identitySessions)
    .values({
      token_hash: Buffer.from(String(Math.random())),
      session_index: `_${Math.random()}`,
      user_id: user.id,
      login_from: 'OpenSocial',
      authenticated_at: new Date(),
      ...changes,
    })
    .returning();
  return made?.id ?? 0;
};

const read = (call: typeof owner, id: number, server = 'northlab') => call(getActivityLine, { params: { server, id } });

describe('§2.13 one line of the log', () => {
  test('shows all its details', async () => {
    const user = await makeUser(testApp.db, { firstname: 'Bea', lastname: 'Ito' });
    const site = await makeSite(testApp.db, { domain: 'reports.org' });
    const id = await write({
      user_id: user.id,
      email: user.email,
      site_id: site.id,
      site: site.domain,
      user_agent: 'Mozilla/5.0 Firefox/140.0',
      mfa: 'totp',
      session_id: await openSession(user, {}),
    });
    expect(await read(owner, id)).toMatchObject({
      id,
      email: user.email,
      fullname: 'Bea Ito',
      user_id: user.id,
      site: 'reports.org',
      site_id: site.id,
      ip_address: '10.0.0.1',
      country: 'Norway',
      user_agent: 'Mozilla/5.0 Firefox/140.0',
      mfa: 'totp',
      session: 'open',
      is_this_browser: false,
    });
  });

  test("shows the state of its session, and whether it is the caller's own", async () => {
    const user = await makeUser(testApp.db);
    const own = await as(user);
    const [signedIn] = await testApp.db.select().from(identitySessions).where(eq(identitySessions.user_id, user.id));
    const state = async (session_id: number | null) => {
      const { session, is_this_browser } = await read(own, await write({ user_id: user.id, session_id }));
      return [session, is_this_browser];
    };
    expect(await state(signedIn?.id ?? 0)).toEqual(['open', true]);
    expect(await state(await openSession(user, {}))).toEqual(['open', false]);
    const idle = new Date(Date.now() - 31 * 60_000);
    expect(await state(await openSession(user, { last_seen_at: idle }))).toEqual(['ended', false]);
    expect(await state(999_999)).toEqual(['ended', false]);
    expect(await state(null)).toEqual(['none', false]);
  });

  test('does not link to a site or user that no longer exists', async () => {
    const user = await makeUser(testApp.db, { firstname: 'Bea', lastname: 'Ito' });
    const site = await makeSite(testApp.db);
    const id = await write({ user_id: user.id, site_id: site.id });
    await testApp.db.delete(memberships).where(eq(memberships.user_id, user.id));
    await testApp.db.delete(sites).where(eq(sites.id, site.id));
    expect(await read(owner, id)).toMatchObject({ user_id: null, site_id: null, site: 'lab.org' });
  });

  test('of another user or another network is answered as if it did not exist', async () => {
    const user = await makeUser(testApp.db);
    const member = await as(user);
    const southOwner = await as(await makeUser(testApp.db, { owns: ['southlab', 'northlab'], network: 'southlab' }));
    const own = await write({ user_id: user.id });
    const foreign = await write();
    expect(await read(member, own)).toMatchObject({ id: own });
    for (const [call, id, server] of [
      [member, foreign, 'northlab'],
      [member, foreign + 1_000, 'northlab'],
      [southOwner, own, 'southlab'],
      [member, own, 'southlab'],
    ] as const)
      await expect(read(call, id, server)).rejects.toMatchObject({ code: 'not_found' });
  });
});
