import { listAvailableApps, listDesktopApps, listUserDesktopApps } from '@opensocial/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { networks, siteVisits, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number; sso_id: string };
let south: { id: number; sso_id: string };
let admin: typeof users.$inferSelect;
let member: typeof users.$inferSelect;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  admin = await makeUser(testApp.db, { owns: ['northlab'] });
  member = await makeUser(testApp.db, { alsoIn: ['southlab'] });
  const readers = await makeGroup(testApp.db, { users: [member.id] });
  const others = await makeGroup(testApp.db);
  await makeSite(testApp.db, {
    site_name: 'Open to all',
    desktop_position: 2,
    login_url: 'https://open.northlab.org/login',
    icon_color: '#112233',
    icon_width: 90,
  });
  await makeSite(testApp.db, { site_name: 'For readers', desktop_position: 1, groups: [readers.id] });
  const visited = await makeSite(testApp.db, { site_name: 'For others', desktop_position: 3, groups: [others.id] });
  await makeSite(testApp.db, { site_name: 'Switched off', desktop_position: 4, status: 'Disable' });
  await makeSite(testApp.db, { site_name: 'Not on the desktop', desktop_position: null, domain: 'spare.northlab.org' });
  await makeSite(testApp.db, { site_name: 'Elsewhere', network: 'southlab' });
  await testApp.db.insert(siteVisits).values({ user_id: member.id, site_id: visited.id });
});

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const asked = () => ({
  selectedId: north.id,
  ssoId: north.sso_id,
  serverId: north.id,
  selectedServer: 'northlab',
  uid: member.uid,
});
const setMode = (mode: 'AdminManaged' | 'All' | 'Visited') =>
  testApp.db.update(networks).set({ mode }).where(eq(networks.id, north.id));
const namesShown = async () =>
  (await (await as(member))(listUserDesktopApps, { params: asked() })).map(({ name }) => name);

describe('§7.2 the desktop', () => {
  test("shows an admin the network's whole desktop, in its order", async () => {
    const apps = await (await as(admin))(listDesktopApps, { params: { server_id: north.id } });
    expect(apps.map(({ name }) => name)).toEqual(['For readers', 'Open to all', 'For others']);
    expect(apps[1]).toMatchObject({
      login_url: 'https://open.northlab.org/login',
      icon_color: '#112233',
      icon_width: 90,
      icon: '',
      icon_bg: '',
    });
    expect(apps[0]?.icon_width).toBe(61);
    expect(apps[0]?.login_url).toBe(`http://localhost:8080/saml/northlab/start/${apps[0]?.id}`);
  });

  test('§4 AdminManaged shows a site to its groups, and one without a group to all', async () => {
    await setMode('AdminManaged');
    expect(await namesShown()).toEqual(['For readers', 'Open to all']);
  });

  test('§4 All shows sites even if the user cannot log in', async () => {
    await setMode('All');
    expect(await namesShown()).toEqual(['For readers', 'Open to all', 'For others']);
  });

  test('§4 Visited shows sites that the user has tried to log in to', async () => {
    await setMode('Visited');
    expect(await namesShown()).toEqual(['For others']);
  });

  test('is refused if any of the five ids does not match', async () => {
    const call = await as(member);
    const wrong = {
      selectedId: south.id,
      ssoId: south.sso_id,
      serverId: south.id,
      selectedServer: 'southlab',
      uid: admin.uid,
    };
    for (const [field, value] of Object.entries(wrong)) {
      await expect(call(listUserDesktopApps, { params: { ...asked(), [field]: value } }), field).rejects.toMatchObject({
        status: field === 'uid' ? 403 : 404,
      });
    }
  });

  test('sites that are not on it are available, with the mode', async () => {
    await setMode('AdminManaged');
    const available = await (await as(admin))(listAvailableApps, { params: { server_id: north.id } });
    expect(available).toMatchObject({ sites: [{ domain: 'spare.northlab.org' }], server_mode: 'AdminManaged' });
  });
});
