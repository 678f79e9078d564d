import { listDesktopApps, listUserDesktopApps, NetworkMode, setNetworkMode } from '@opensocial/contract';
import { beforeAll, expect, test } from 'vitest';
import { siteVisits, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

const groupings = ['own group', 'other group', 'no group'] as const;
const visits = ['visited', 'not visited'] as const;
const titleOf = (grouping: (typeof groupings)[number], visit: (typeof visits)[number]) => `${grouping}, ${visit}`;
const everything = groupings.flatMap((grouping) => visits.map((visit) => titleOf(grouping, visit)));

/** The expected sites for each network mode of §4. */
const shown: Record<NetworkMode, readonly string[]> = {
  AdminManaged: ['own group, visited', 'own group, not visited', 'no group, visited', 'no group, not visited'],
  All: everything,
  Visited: ['own group, visited', 'other group, visited', 'no group, visited'],
};

let testApp: TestApp;
let north: { id: number; sso_id: string };
const people = {} as Record<'user' | 'admin', typeof users.$inferSelect>;
beforeAll(async () => {
  testApp = await buildTestApp();
  const { db } = testApp;
  north = await networkNamed(db, 'northlab');
  people.user = await makeUser(db);
  people.admin = await makeUser(db, { owns: ['northlab'] });
  const both = [people.user.id, people.admin.id];
  const own = await makeGroup(db, { users: both });
  const other = await makeGroup(db);
  const groupsOf = { 'own group': [own.id, other.id], 'other group': [other.id], 'no group': [] };
  for (const [place, title] of everything.entries()) {
    const [grouping, visit] = title.split(', ') as [(typeof groupings)[number], (typeof visits)[number]];
    const site = await makeSite(db, { site_name: title, desktop_position: place, groups: groupsOf[grouping] });
    // Visits of another user do not count.
    const stranger = await makeUser(db);
    await db.insert(siteVisits).values({ user_id: stranger.id, site_id: site.id });
    if (visit === 'visited') await db.insert(siteVisits).values(both.map((user_id) => ({ user_id, site_id: site.id })));
  }
});

const as = async (who: 'user' | 'admin') => testApp.as(await signInto(testApp.db, testApp.browser(), people[who]));

const desktopOf = async (who: 'user' | 'admin'): Promise<string[]> => {
  const params = {
    selectedId: north.id,
    ssoId: north.sso_id,
    serverId: north.id,
    selectedServer: 'northlab',
    uid: people[who].uid,
  };
  return (await (await as(who))(listUserDesktopApps, { params })).map(({ name }) => name);
};

test.for(NetworkMode.options)('§4 network mode %s: what a user and an admin are shown', async (mode) => {
  const admin = await as('admin');
  await admin(setNetworkMode, { body: { server: 'northlab', mode } });
  expect(await desktopOf('user')).toEqual(shown[mode]);
  // The user desktop does not depend on the role; the administrators' desktop is complete in every mode (§6).
  expect(await desktopOf('admin')).toEqual(shown[mode]);
  const whole = await admin(listDesktopApps, { params: { server_id: north.id } });
  expect(whole.map(({ name }) => name)).toEqual(everything);
  await expect((await as('user'))(listDesktopApps, { params: { server_id: north.id } })).rejects.toMatchObject({
    code: 'forbidden',
  });
});
