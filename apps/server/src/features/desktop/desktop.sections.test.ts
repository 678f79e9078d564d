import {
  collapseDesktopSection,
  getDesktopSections,
  removeSite,
  removeUser,
  type SectionsDraft,
  saveDesktopSections,
} from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { desktopSectionSites, desktopSections, memberships, networks, sites, users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;
type Drafts = SectionsDraft['sections'];

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let admin: User;
let member: User;
const ids = { a: 0, b: 0, c: 0, closed: 0, off: 0, spare: 0, foreign: 0 };
beforeAll(async () => {
  testApp = await buildTestApp();
  const { db } = testApp;
  north = await networkNamed(db, 'northlab');
  south = await networkNamed(db, 'southlab');
  admin = await makeUser(db, { owns: ['northlab'] });
  const others = await makeGroup(db);
  ids.a = (await makeSite(db, { desktop_position: 1 })).id;
  ids.b = (await makeSite(db, { desktop_position: 2 })).id;
  ids.c = (await makeSite(db, { desktop_position: 3 })).id;
  ids.closed = (await makeSite(db, { desktop_position: 4, groups: [others.id] })).id;
  ids.off = (await makeSite(db, { desktop_position: 5, status: 'Disable' })).id;
  ids.spare = (await makeSite(db, { desktop_position: null })).id;
  ids.foreign = (await makeSite(db, { network: 'southlab' })).id;
});
beforeEach(async () => {
  await testApp.db.delete(desktopSections);
  member = await makeUser(testApp.db);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
type Call = Awaited<ReturnType<typeof as>>;
const save = (call: Call, sections: Drafts, version = 0, server_id = north.id) =>
  call(saveDesktopSections, { params: { server_id }, body: { sections, version } });
const read = (call: Call, server_id = north.id) => call(getDesktopSections, { params: { server_id } });
const collapse = (call: Call, section_id: number, collapsed = true, server_id = north.id) =>
  call(collapseDesktopSection, { params: { server_id, section_id }, body: { collapsed } });
const idOf = ({ sections }: Awaited<ReturnType<typeof save>>, index = 0): number => sections[index]?.id ?? 0;

describe('§2.3 sections of a person', () => {
  test('are created, renamed, ordered, filled and deleted', async () => {
    const call = await as(member);
    expect(await read(call)).toMatchObject({ sections: [], version: 0 });
    const made = await save(call, [
      { name: ' Data analysis ', apps: [ids.b, ids.a] },
      { name: 'Daily', apps: [] },
    ]);
    expect(made).toMatchObject({
      version: 1,
      sections: [
        { name: 'Data analysis', collapsed: false, apps: [ids.b, ids.a] },
        { name: 'Daily', collapsed: false, apps: [] },
      ],
    });
    expect(await read(call)).toMatchObject(made);
    const [data, daily] = [idOf(made), idOf(made, 1)];
    const moved = await save(
      call,
      [
        { id: daily, name: 'Every day', apps: [ids.a, ids.c] },
        { id: data, name: 'Data analysis', apps: [ids.b] },
      ],
      1,
    );
    expect(moved).toMatchObject({
      version: 2,
      sections: [
        { id: daily, name: 'Every day', apps: [ids.a, ids.c] },
        { id: data, apps: [ids.b] },
      ],
    });
    await save(call, [{ id: data, name: 'Data analysis', apps: [ids.b] }], 2);
    expect((await read(call)).sections).toMatchObject([{ id: data, apps: [ids.b] }]);
    expect((await save(call, [], 3)).sections).toEqual([]);
    expect(await testApp.db.$count(desktopSectionSites, eq(desktopSectionSites.user_id, member.id))).toBe(0);
  });

  test('are neither shown to another person, nor changed by one', async () => {
    const [own, other] = [await as(member), await as(await makeUser(testApp.db))];
    const made = await save(own, [{ name: 'Mine', apps: [ids.a] }]);
    expect((await read(other)).sections).toEqual([]);
    const taken = save(other, [{ id: idOf(made), name: 'Theirs', apps: [] }]);
    await expect(taken).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await expect(collapse(other, idOf(made))).rejects.toMatchObject({ code: 'not_found', status: 404 });
    await save(other, [{ name: 'Theirs', apps: [ids.a] }]);
    expect(await read(own)).toMatchObject(made);
  });

  test('are those of one network, and of another network for nobody', async () => {
    const both = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const call = await as(both);
    const made = await save(call, [{ name: 'North', apps: [ids.a, ids.foreign] }]);
    expect(made.sections).toMatchObject([{ apps: [ids.a] }]);
    expect(await read(call, south.id)).toMatchObject({ sections: [], version: 0 });
    const moved = save(call, [{ id: idOf(made), name: 'South', apps: [] }], 0, south.id);
    await expect(moved).rejects.toMatchObject({ code: 'not_found' });
    await expect(collapse(call, idOf(made), true, south.id)).rejects.toMatchObject({ code: 'not_found' });
    const stranger = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
    await expect(save(stranger, [])).rejects.toMatchObject({ status: 404 });
    await expect(collapse(stranger, idOf(made))).rejects.toMatchObject({ status: 404 });
  });

  test('contain only apps of the own desktop, and do not tell why another one is missing', async () => {
    const call = await as(member);
    const listed = [ids.a, ids.closed, ids.off, ids.spare, ids.foreign, 999_999];
    expect((await save(call, [{ name: 'All', apps: listed }])).sections).toMatchObject([{ apps: [ids.a] }]);
    const owner = await as(admin);
    expect((await save(owner, [{ name: 'All', apps: listed }])).sections).toMatchObject([
      { apps: [ids.a, ids.closed] },
    ]);
  });

  test('keep the place of an app that the person may not use at present', async () => {
    const call = await as(member);
    const made = await save(call, [
      { name: 'First', apps: [ids.a, ids.b, ids.c] },
      { name: 'Second', apps: [] },
    ]);
    const switchB = (status: 'Active' | 'Disable') =>
      testApp.db.update(sites).set({ status }).where(eq(sites.id, ids.b));
    await switchB('Disable');
    expect((await read(call)).sections).toMatchObject([{ apps: [ids.a, ids.c] }, { apps: [] }]);
    // The hidden app cannot be moved either.
    const saved = await save(
      call,
      [
        { id: idOf(made), name: 'First', apps: [ids.a, ids.c] },
        { id: idOf(made, 1), name: 'Second', apps: [ids.b] },
      ],
      1,
    );
    expect(saved.sections).toMatchObject([{ apps: [ids.a, ids.c] }, { apps: [] }]);
    await switchB('Active');
    expect((await read(call)).sections).toMatchObject([{ apps: [ids.a, ids.b, ids.c] }, { apps: [] }]);
  });

  test('are collapsed without raising the version', async () => {
    const call = await as(member);
    const made = await save(call, [{ name: 'Daily', apps: [ids.a] }]);
    expect(await collapse(call, idOf(made))).toEqual({ collapsed: true });
    expect(await read(call)).toMatchObject({ version: 1, sections: [{ collapsed: true }] });
    const saved = await save(call, [{ id: idOf(made), name: 'Weekly', apps: [] }], 1);
    expect(saved.sections).toMatchObject([{ name: 'Weekly', collapsed: true }]);
    await collapse(call, idOf(made), false);
    expect((await read(call)).sections).toMatchObject([{ collapsed: false }]);
  });

  test('arranged in several browsers at once are saved by one of them', async () => {
    const call = await as(member);
    for (let version = 0; version < 5; version += 1) {
      const attempts = Array.from({ length: 6 }, (_, index) =>
        save(call, [{ name: `Browser ${index}`, apps: [ids.a] }], version),
      );
      const outcomes = await Promise.allSettled(attempts);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(reasons.filter(({ code, status }) => code !== 'sections_changed' || status !== 409)).toEqual([]);
      expect(await read(call)).toMatchObject({ version: version + 1, sections: [{ apps: [ids.a] }] });
    }
  });

  const many = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  test.each<[string, () => Drafts]>([
    ['without a name', () => [{ name: ' ', apps: [] }]],
    ['with a long name', () => [{ name: 'x'.repeat(101), apps: [] }]],
    ['with the name of a built-in section', () => [{ name: 'all APPS', apps: [] }]],
    [
      'of the same name, in any case',
      () => [
        { name: 'Daily', apps: [] },
        { name: 'DAILY', apps: [] },
      ],
    ],
    ['with more than 200 apps', () => [{ name: 'Daily', apps: many(201) }]],
    ['above the number of 20', () => many(21).map((index) => ({ name: `Section ${index}`, apps: [] }))],
    [
      'with an app of another section',
      () => [
        { name: 'Daily', apps: [ids.a] },
        { name: 'Weekly', apps: [ids.a] },
      ],
    ],
    [
      'listed twice',
      () => [
        { id: 1, name: 'Daily', apps: [] },
        { id: 1, name: 'Weekly', apps: [] },
      ],
    ],
  ])('are refused: one %s', async (_case, drafts) => {
    const call = await as(member);
    await expect(save(call, drafts())).rejects.toMatchObject({ status: 400 });
    expect(await read(call)).toMatchObject({ sections: [], version: 0 });
  });

  test('of the largest size are saved', async () => {
    const call = await as(member);
    const drafts = many(20).map((index) => ({
      name: `${'x'.repeat(98)}${index}`,
      apps: many(200).map((app) => 1_000_000_000 + index * 1_000 + app),
    }));
    expect((await save(call, drafts)).sections).toHaveLength(20);
  });

  test('lose a site that is deleted, also at the same moment', async () => {
    const [call, owner] = [await as(member), await as(admin)];
    for (let round = 0; round < 5; round += 1) {
      const site = await makeSite(testApp.db);
      const { version } = await read(call);
      const [, saved] = await Promise.all([
        owner(removeSite, { params: { site_id: site.id, sso_server: 'northlab' } }),
        save(call, [{ name: 'Daily', apps: [site.id, ids.a] }], version),
      ]);
      expect(saved.sections[0]?.apps).toContain(ids.a);
      expect((await read(call)).sections).toMatchObject([{ apps: [ids.a] }]);
    }
  });

  test('end with the membership, and with the account', async () => {
    const leaver = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const [call, leaving] = [await as(member), await as(leaver)];
    await testApp.db.update(networks).set({ mode: 'All' }).where(eq(networks.id, south.id));
    await save(call, [{ name: 'Kept', apps: [ids.a] }]);
    await save(leaving, [{ name: 'Gone', apps: [ids.a] }]);
    await save(leaving, [{ name: 'South', apps: [ids.foreign] }], 0, south.id);
    await (await as(admin))(removeUser, {
      body: { id: leaver.id, uid: leaver.uid, server_id: north.id, sso_server: 'northlab' },
    });
    const names = async () =>
      (await testApp.db.select().from(desktopSections).orderBy(desktopSections.id)).map(({ name }) => name);
    expect(await names()).toEqual(['Kept', 'South']);
    expect((await read(leaving, south.id)).sections).toMatchObject([{ name: 'South', apps: [ids.foreign] }]);
    await testApp.db.delete(users).where(eq(users.id, leaver.id));
    expect(await names()).toEqual(['Kept']);
    expect(await testApp.db.$count(desktopSectionSites)).toBe(1);
    expect(await testApp.db.$count(memberships, eq(memberships.user_id, leaver.id))).toBe(0);
  });
});
