import { listAvailableApps, listDesktopApps, maximumDesktopApps, saveDesktopApps } from '@opensocial/contract';
import { and, eq, gt, max } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, sites, type users } from '../../database/schema.ts';
import { makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let server_id: number;
let admin: typeof users.$inferSelect;
let ids: { a: number; b: number; c: number; spare: number; off: number; foreign: number };
let lastRecord: number;
beforeAll(async () => {
  testApp = await buildTestApp();
  ({ id: server_id } = await networkNamed(testApp.db, 'northlab'));
  admin = await makeUser(testApp.db, { owns: ['northlab'] });
});
beforeEach(async () => {
  const { db } = testApp;
  const [last] = await db.select({ id: max(auditRecords.id) }).from(auditRecords);
  lastRecord = last?.id ?? 0;
  await db.delete(sites).where(eq(sites.kind, 'site'));
  const made = async (draft: Parameters<typeof makeSite>[1]) => (await makeSite(db, draft)).id;
  ids = {
    a: await made({ site_name: 'a', desktop_position: 1 }),
    b: await made({ site_name: 'b', desktop_position: 2 }),
    c: await made({ site_name: 'c', desktop_position: 3 }),
    spare: await made({ site_name: 'spare', desktop_position: null }),
    off: await made({ site_name: 'off', desktop_position: 4, status: 'Disable' }),
    foreign: await made({ site_name: 'foreign', network: 'southlab', desktop_position: null }),
  };
});

const asAdmin = async () => testApp.as(await signInto(testApp.db, testApp.browser(), admin));
const params = () => ({ server_id });
const seen = async () => {
  const call = await asAdmin();
  const { sites: available, version } = await call(listAvailableApps, { params: params() });
  const desktop = await call(listDesktopApps, { params: params() });
  return { available: available.map(({ name }) => name), desktop: desktop.map(({ name }) => name), version };
};
const audited = () =>
  testApp.db
    .select()
    .from(auditRecords)
    .where(and(gt(auditRecords.id, lastRecord), eq(auditRecords.description, 'update desktop')));

describe('§7.2 saving the desktop', () => {
  test('stores the two groups and the order of the desktop, and is audited', async () => {
    const call = await asAdmin();
    const { version } = await seen();
    const saved = await call(saveDesktopApps, {
      params: params(),
      body: { available_apps: [ids.b], desktop_apps: [ids.c, ids.spare, ids.a], version },
    });
    expect(saved.version).toBe(version + 1);
    expect(await seen()).toEqual({ available: ['b'], desktop: ['c', 'spare', 'a'], version: version + 1 });
    const [record] = await audited();
    expect(record).toMatchObject({
      actor: admin.email,
      old_data: { desktop_apps: [ids.a, ids.b, ids.c, ids.off] },
      new_data: { desktop_apps: [ids.c, ids.spare, ids.a, ids.off] },
    });
  });

  test('accepts apps as they were listed, also under the key data', async () => {
    const call = await asAdmin();
    const [first, ...others] = await call(listDesktopApps, { params: params() });
    const body = { data: { available_apps: [first], desktop_apps: others } };
    await call(saveDesktopApps, { params: params(), body: body as never });
    expect(await seen()).toMatchObject({ desktop: ['b', 'c'] });
  });

  test('of two people who change the same desktop, the second is refused, and nothing of the first is lost', async () => {
    const call = await asAdmin();
    const { version } = await seen();
    const attempts = [
      [ids.c, ids.b, ids.a],
      [ids.b, ids.a, ids.c],
    ].map((desktop_apps) =>
      call(saveDesktopApps, { params: params(), body: { available_apps: [ids.spare], desktop_apps, version } }),
    );
    const outcomes = await Promise.allSettled(attempts);
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
    expect(outcomes[1 - won]).toMatchObject({ reason: { code: 'desktop_changed', status: 409 } });
    expect((await seen()).desktop).toEqual(won === 0 ? ['c', 'b', 'a'] : ['b', 'a', 'c']);
    expect(await audited()).toHaveLength(1);
  });

  test('saving the same again changes nothing', async () => {
    const call = await asAdmin();
    const { version } = await seen();
    const body = { available_apps: [ids.spare], desktop_apps: [ids.a, ids.b, ids.c], version };
    expect(await call(saveDesktopApps, { params: params(), body })).toMatchObject({ version });
    expect(await audited()).toEqual([]);
  });

  test('a site in neither group keeps its place', async () => {
    const call = await asAdmin();
    await call(saveDesktopApps, { params: params(), body: { available_apps: [ids.a], desktop_apps: [ids.c] } });
    await testApp.db.update(sites).set({ status: 'Active' }).where(eq(sites.id, ids.off));
    expect((await seen()).desktop).toEqual(['c', 'b', 'off']);
  });

  test('a foreign or unknown site is refused and nothing is saved', async () => {
    const call = await asAdmin();
    const before = await seen();
    const [console] = await testApp.db.select({ id: sites.id }).from(sites).where(eq(sites.kind, 'console'));
    for (const id of [ids.foreign, 999_999, console?.id ?? 0].filter(Boolean)) {
      for (const body of [
        { available_apps: [], desktop_apps: [ids.c, id] },
        { available_apps: [ids.a, id], desktop_apps: [] },
      ])
        await expect(call(saveDesktopApps, { params: params(), body })).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await seen()).toEqual(before);
    const [foreign] = await testApp.db.select().from(sites).where(eq(sites.id, ids.foreign));
    expect(foreign?.desktop_position).toBeNull();
  });

  test('an app in both groups, twice in one, or too many apps are refused with an explanation', async () => {
    const call = await asAdmin();
    const many = Array.from({ length: maximumDesktopApps + 1 }, (_, index) => index + 1);
    for (const [body, sentence] of [
      [{ available_apps: [ids.a], desktop_apps: [ids.a] }, /only once, in one of the groups/],
      [{ available_apps: [], desktop_apps: [ids.a, ids.a] }, /only once, in one of the groups/],
      [{ available_apps: [], desktop_apps: many }, /at most 5,000 apps/],
      [{ available_apps: many, desktop_apps: [] }, /at most 5,000 apps/],
    ] as const)
      await expect(
        call(saveDesktopApps, {
          params: params(),
          body: { available_apps: [...body.available_apps], desktop_apps: [...body.desktop_apps] },
        }),
      ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(sentence) });
    for (const body of [
      {},
      { available_apps: [], desktop_apps: [], more: 1 },
      { available_apps: ['x'], desktop_apps: [] },
    ])
      await expect(call(saveDesktopApps, { params: params(), body: body as never })).rejects.toMatchObject({
        status: 400,
      });
  });

  test('the maximum number of apps is saved', async () => {
    const { db } = testApp;
    const drafts = Array.from({ length: maximumDesktopApps }, (_, index) => ({
      network_id: server_id,
      identity: `https://${index}.many/metadata`,
      acs: `https://${index}.many/acs`,
      sls: `https://${index}.many/sls`,
      domain: `${index}.many`,
      site_name: `Many ${index}`,
    }));
    const rows = [];
    for (let from = 0; from < drafts.length; from += 1_000)
      rows.push(
        ...(await db
          .insert(sites)
          .values(drafts.slice(from, from + 1_000))
          .returning({ id: sites.id })),
      );
    const desktop_apps = rows.map(({ id }) => id).toReversed();
    const body = { available_apps: [ids.a, ids.b, ids.c, ids.spare], desktop_apps };
    await (await asAdmin())(saveDesktopApps, { params: params(), body });
    expect((await seen()).desktop.slice(0, 2)).toEqual([
      `Many ${maximumDesktopApps - 1}`,
      `Many ${maximumDesktopApps - 2}`,
    ]);
  });
});
