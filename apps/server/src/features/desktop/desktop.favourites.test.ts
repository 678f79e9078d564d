import { getDesktopSections, removeSite, removeUser, setDesktopFavourite } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { desktopFavourites, networks, sites, siteVisits, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let admin: User;
let member: User;
const ids = { a: 0, b: 0, closed: 0, off: 0, spare: 0, foreign: 0 };
beforeAll(async () => {
  testApp = await buildTestApp();
  const { db } = testApp;
  north = await networkNamed(db, 'northlab');
  south = await networkNamed(db, 'southlab');
  admin = await makeUser(db, { owns: ['northlab'] });
  member = await makeUser(db);
  const others = await makeGroup(db);
  ids.a = (await makeSite(db, { desktop_position: 1 })).id;
  ids.b = (await makeSite(db, { desktop_position: 2 })).id;
  ids.closed = (await makeSite(db, { desktop_position: 3, groups: [others.id] })).id;
  ids.off = (await makeSite(db, { desktop_position: 4, status: 'Disable' })).id;
  ids.spare = (await makeSite(db, { desktop_position: null })).id;
  ids.foreign = (await makeSite(db, { network: 'southlab' })).id;
});
beforeEach(async () => {
  await testApp.db.update(networks).set({ mode: 'AdminManaged' }).where(eq(networks.id, north.id));
  await testApp.db.delete(desktopFavourites);
  await testApp.db.delete(siteVisits);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
type Call = Awaited<ReturnType<typeof as>>;
const choose = (call: Call, site_id: number, favourite = true) =>
  call(setDesktopFavourite, { params: { site_id }, body: { favourite } });
const sectionsOf = (call: Call, server_id = north.id) => call(getDesktopSections, { params: { server_id } });

describe('§2.3 favourites', () => {
  test('are listed in the order in which they were added, until they are removed', async () => {
    const call = await as(member);
    expect(await choose(call, ids.b)).toEqual({ favourite: true });
    await choose(call, ids.a);
    await choose(call, ids.b);
    expect((await sectionsOf(call)).favourites).toEqual([ids.b, ids.a]);
    expect(await choose(call, ids.b, false)).toEqual({ favourite: false });
    await choose(call, ids.b, false);
    expect((await sectionsOf(call)).favourites).toEqual([ids.a]);
  });

  test('of another person are neither shown nor changed', async () => {
    const [own, other] = [await as(member), await as(await makeUser(testApp.db))];
    await choose(own, ids.a);
    await choose(other, ids.a);
    await choose(other, ids.b);
    await choose(own, ids.a, false);
    expect((await sectionsOf(own)).favourites).toEqual([]);
    expect((await sectionsOf(other)).favourites).toEqual([ids.a, ids.b]);
  });

  test.each(['foreign', 'off', 'spare', 'closed'] as const)(
    'cannot be a site that is not on the desktop of the person: %s',
    async (name) => {
      const call = await as(member);
      for (const favourite of [true, false])
        await expect(choose(call, ids[name], favourite)).rejects.toMatchObject({ code: 'not_found', status: 404 });
      await expect(choose(call, 999_999)).rejects.toMatchObject({ code: 'not_found', status: 404 });
      expect(await testApp.db.$count(desktopFavourites)).toBe(0);
    },
  );

  test('are those of the whole desktop for an owner, and of another network for nobody', async () => {
    const call = await as(admin);
    await choose(call, ids.closed);
    expect((await sectionsOf(call)).favourites).toEqual([ids.closed]);
    await expect(sectionsOf(call, south.id)).rejects.toMatchObject({ status: 404 });
    const foreignOwner = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
    await expect(choose(foreignOwner, ids.a)).rejects.toMatchObject({ status: 404 });
    await expect(sectionsOf(foreignOwner)).rejects.toMatchObject({ status: 404 });
  });

  test('of each network are separate', async () => {
    const call = await as(await makeUser(testApp.db, { alsoIn: ['southlab'] }));
    await choose(call, ids.a);
    await testApp.db.update(networks).set({ mode: 'All' }).where(eq(networks.id, south.id));
    await choose(call, ids.foreign);
    expect((await sectionsOf(call)).favourites).toEqual([ids.a]);
    expect((await sectionsOf(call, south.id)).favourites).toEqual([ids.foreign]);
  });

  test('are not listed while the site is not on the desktop of the person', async () => {
    const call = await as(member);
    await choose(call, ids.a);
    await testApp.db.update(networks).set({ mode: 'Visited' }).where(eq(networks.id, north.id));
    expect((await sectionsOf(call)).favourites).toEqual([]);
    await testApp.db.insert(siteVisits).values({ user_id: member.id, site_id: ids.a });
    expect((await sectionsOf(call)).favourites).toEqual([ids.a]);
  });

  test('can be added many times at once', async () => {
    const call = await as(member);
    await Promise.all(Array.from({ length: 8 }, () => choose(call, ids.a)));
    expect((await sectionsOf(call)).favourites).toEqual([ids.a]);
  });

  test('end with their site, also if it is deleted at the same moment', async () => {
    const [call, owner] = [await as(member), await as(admin)];
    const site = await makeSite(testApp.db);
    await choose(call, site.id);
    const remove = owner(removeSite, { params: { site_id: site.id, sso_server: 'northlab' } });
    const attempts = await Promise.allSettled(Array.from({ length: 4 }, () => choose(call, site.id)));
    await remove;
    const refusals = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason.status] : []));
    expect(refusals.filter((status) => status !== 404)).toEqual([]);
    await expect(choose(call, site.id)).rejects.toMatchObject({ status: 404 });
    expect(await testApp.db.$count(desktopFavourites)).toBe(0);
  });

  test('end with the membership of a person whose account stays', async () => {
    const leaver = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const call = await as(leaver);
    await testApp.db.update(networks).set({ mode: 'All' }).where(eq(networks.id, south.id));
    await choose(call, ids.foreign);
    await testApp.db.insert(desktopFavourites).values({ user_id: leaver.id, site_id: ids.a });
    await (await as(admin))(removeUser, {
      body: { id: leaver.id, uid: leaver.uid, server_id: north.id, sso_server: 'northlab' },
    });
    expect(await testApp.db.select().from(desktopFavourites)).toMatchObject([{ site_id: ids.foreign }]);
  });
});

describe('§2.3 recently used', () => {
  const visit = (user: User, site_id: number, minutesAgo: number) =>
    testApp.db
      .insert(siteVisits)
      .values({ user_id: user.id, site_id, last_at: new Date(Date.now() - minutesAgo * 60_000) });

  test('are the six sites of the own desktop that the person visited last', async () => {
    const call = await as(member);
    const made = [];
    for (let index = 0; index < 7; index += 1) made.push(await makeSite(testApp.db, { desktop_position: 10 + index }));
    for (const [index, { id }] of made.entries()) await visit(member, id, 100 - index);
    // Neither what is not on the desktop, nor a visit of somebody else takes a place.
    for (const id of [ids.closed, ids.off, ids.spare, ids.foreign]) await visit(member, id, 1);
    await visit(admin, ids.a, 1);
    expect((await sectionsOf(call)).recent).toEqual(
      made
        .map(({ id }) => id)
        .toReversed()
        .slice(0, 6),
    );
    for (const { id } of made) await testApp.db.delete(sites).where(eq(sites.id, id));
  });
});
