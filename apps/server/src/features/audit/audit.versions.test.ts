import {
  type Conflict,
  conflictOf,
  getGroup,
  getSettings,
  getSite,
  getSubscriber,
  getUser,
  listAvailableApps,
  secretMask,
  setNetworkMode,
  setSiteMode,
  updateGroup,
  updateName,
  updateSettings,
  updateSite,
  updateSiteInfo,
  updateSubscriber,
  updateUser,
} from '@opensocial/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { memberships, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type Caller = ReturnType<TestApp['as']>;
type User = typeof users.$inferSelect;

let testApp: TestApp;
let ada: Caller;
let ben: Caller;
let other: User;
let network: { id: number };
const params = { server: 'northlab' };

beforeAll(async () => {
  testApp = await buildTestApp();
  const first = await makeUser(testApp.db, { owns: ['northlab'] });
  other = await makeUser(testApp.db, { owns: ['northlab'] });
  ada = testApp.as(await signInto(testApp.db, testApp.browser(), first));
  ben = testApp.as(await signInto(testApp.db, testApp.browser(), other));
  network = await networkNamed(testApp.db, 'northlab');
});

/** The conflict that a save was refused with. */
const refusal = async (saving: Promise<unknown>): Promise<Conflict | undefined> =>
  conflictOf(await saving.then(() => undefined).catch((error: unknown) => error));

const byBen = (...fields: string[]) => ({ changed_by: other.email, changed_at: expect.any(String), fields });

describe('§2.10 two administrators and the settings of a network', () => {
  const save = async (call: Caller, form: Awaited<ReturnType<typeof read>>, changes: object) =>
    call(updateSettings, { params, body: { server: 'northlab', ...form, based_on: form.version, ...changes } });
  const read = () => ada(getSettings, { params });
  beforeEach(async () => void (await save(ada, await read(), { help_email: '', failed_tries: 10, google_secret: '' })));

  test('the second save is refused, with who changed what and when; nothing is overwritten', async () => {
    const opened = await read();
    await save(ben, await read(), { help_email: 'help@northlab.org' });
    expect(await refusal(save(ada, opened, { failed_tries: 5 }))).toEqual(byBen('help_email'));
    expect(await read()).toMatchObject({ help_email: 'help@northlab.org', failed_tries: 10 });
  });

  test("a save that includes the other's changes, based on their version, is accepted", async () => {
    await save(ben, await read(), { help_email: 'help@northlab.org' });
    const saved = await save(ada, await read(), { failed_tries: 5 });
    expect(saved).toMatchObject({ help_email: 'help@northlab.org', failed_tries: 5 });
    expect(await save(ada, saved, { failed_tries: 6 })).toMatchObject({ failed_tries: 6 });
  });

  test('a save without a version overwrites, also if it sends back the version it read', async () => {
    const opened = await read();
    await save(ben, await read(), { help_email: 'help@northlab.org' });
    const saved = await ada(updateSettings, { params, body: { server: 'northlab', ...opened } });
    expect(saved.help_email).toBe('');
  });

  test('the same change twice is no conflict; a secret that both have changed is one', async () => {
    const opened = await read();
    await save(ben, await read(), { help_email: 'help@northlab.org', google_secret: "Ben's" });
    const mine = { help_email: 'help@northlab.org', google_secret: "Ada's" };
    expect(await refusal(save(ada, opened, mine))).toEqual(byBen('google_secret'));
    await save(ada, opened, { help_email: 'help@northlab.org', google_secret: secretMask });
  });

  test('an existing secret that both have replaced is a conflict', async () => {
    await save(ada, await read(), { google_secret: 'The first' });
    const opened = await read();
    await save(ben, await read(), { google_secret: "Ben's" });
    expect(await refusal(save(ada, opened, { google_secret: "Ada's" }))).toEqual(byBen('google_secret'));
    await save(ada, opened, { google_secret: secretMask, failed_tries: 9 });
  });

  test('a version from long ago names each field once, however often it was changed since', async () => {
    for (const failed_tries of [3, 4, 5])
      await save(ben, await read(), {
        failed_tries,
        help_email: `help${failed_tries}@northlab.org`,
        sign_up: 'Enable',
      });
    const stale = { ...(await read()), version: 0 };
    expect(await refusal(save(ada, stale, { failed_tries: 0, help_email: '' }))).toMatchObject({
      changed_by: other.email,
      fields: expect.toSatisfy((fields: string[]) => fields.toSorted().join() === 'failed_tries,help_email'),
    });
    await save(ben, await read(), { sign_up: 'Disable' });
  });

  test('of two saves at the same moment one is refused', async () => {
    const opened = await read();
    const outcomes = await Promise.all([
      refusal(save(ada, opened, { failed_tries: 7 })),
      refusal(save(ben, opened, { failed_tries: 8 })),
    ]);
    expect(outcomes.filter(Boolean)).toEqual([expect.objectContaining({ fields: ['failed_tries'] })]);
  });
});

describe('§2.7 two administrators and a site', () => {
  test('the details form: changed fields conflict, unchanged ones do not', async () => {
    const { id } = await makeSite(testApp.db);
    const opened = await ada(getSite, { params: { site_id: id } });
    const save = (call: Caller, changes: object) =>
      call(updateSite, {
        params: { siteId: id },
        body: {
          ...opened,
          based_on: opened.version,
          domain_level_settings: 'yes',
          with_out_group: 'yes',
          ...changes,
        },
      });
    await ben(setSiteMode, { params: { site_id: id, mode: 'Closed' } });
    expect(await refusal(save(ada, { site_name: 'Mine' }))).toEqual(byBen('site_mode'));
    expect(await save(ada, { site_name: 'Mine', site_mode: 'Closed' })).toMatchObject({ site_name: 'Mine' });
  });

  test('the tile and the SSO parameters: only fields of the same form conflict', async () => {
    const { id } = await makeSite(testApp.db, { login_url: 'https://reports.northlab.org/' });
    const { version, ...site } = await ada(getSite, { params: { site_id: id } });
    const {
      site_name,
      login_url,
      icon_color,
      icon_background,
      text_color,
      text_background,
      icon_width,
      icon,
      icon_bg,
    } = site;
    const tile = { site_name, login_url, icon_color, icon_background, text_color, text_background, icon_width, icon };
    const saveTile = (call: Caller, changes: object) =>
      call(updateSiteInfo, { params, body: { ...tile, icon_bg, id, based_on: version, ...changes } });
    const subscriber = await ada(getSubscriber, { params: { site_id: id, server_name: 'northlab' } });
    const saveParameters = (call: Caller, changes: object) =>
      call(updateSubscriber, {
        params: { server_name: 'northlab' },
        body: { ...subscriber, based_on: subscriber.version, ...changes },
      });
    await saveParameters(ben, { sls: 'https://reports.northlab.org/out' });
    await saveTile(ben, { icon_color: '#112233' });
    expect(await refusal(saveTile(ada, { icon_color: '#445566' }))).toEqual(byBen('icon_color'));
    expect(await refusal(saveParameters(ada, { sls: 'https://reports.northlab.org/bye' }))).toEqual(byBen('sls'));
    expect(await saveTile(ada, { icon_color: '#112233', text_color: '#445566' })).toMatchObject({ id });
  });
});

test('§2.9 two administrators and a group, also after it was renamed', async () => {
  const { id } = await makeGroup(testApp.db);
  const opened = await ada(getGroup, { params: { groupId: id } });
  const renamed = await ben(updateGroup, {
    body: { ...opened, based_on: opened.version, name: `${opened.name} anew` },
  });
  expect(renamed.version).toBeGreaterThan(opened.version);
  expect(
    await refusal(ada(updateGroup, { body: { ...opened, based_on: opened.version, description: 'Mine' } })),
  ).toEqual(byBen('name'));
  await ada(updateGroup, { body: { ...renamed, based_on: renamed.version, description: 'Mine' } });
});

test('§2.8 two people who change the name of a user, which may be their own', async () => {
  const person = await makeUser(testApp.db);
  const opened = await ada(getUser, { params: { user_id: person.id } });
  const own = testApp.as(await signInto(testApp.db, testApp.browser(), person));
  const names = { first_name: 'Anna', last_name: 'Moreno' };
  await own(updateName, { body: { id: person.id, email: person.email, ...names } });
  const body = {
    id: person.id,
    uid: person.uid,
    sso_server_id: network.id,
    firstname: 'Ana Maria',
    lastname: 'Moreno',
  };
  expect(await refusal(ada(updateUser, { body: { ...body, based_on: opened.version } }))).toMatchObject({
    changed_by: person.email,
    fields: ['firstname'],
  });
  expect(await ada(updateUser, { body })).toMatchObject({ firstname: 'Ana Maria' });
});

test('§2.8 THREATS: a conflict does not reveal who acted in another network, and non-members get none', async () => {
  const person = await makeUser(testApp.db, { alsoIn: ['opensocial'] });
  const main = await networkNamed(testApp.db, 'opensocial');
  const opened = await ada(getUser, { params: { user_id: person.id } });
  const head = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
  const heading = testApp.as(await signInto(testApp.db, testApp.browser(), head));
  const body = { id: person.id, uid: person.uid, lastname: 'Moreno', based_on: opened.version };
  await heading(updateUser, { body: { ...body, sso_server_id: main.id, firstname: 'Hana' } });
  const mine = { ...body, sso_server_id: network.id, firstname: 'Ada' };
  // While the person belongs to both, their names are their own.
  await expect(ada(updateUser, { body: mine })).rejects.toMatchObject({ code: 'names_personal' });
  const southern = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
  const stranger = testApp.as(await signInto(testApp.db, testApp.browser(), southern));
  await expect(stranger(updateUser, { body: mine })).rejects.toMatchObject({ status: 404, code: 'not_found' });
  await testApp.db
    .delete(memberships)
    .where(and(eq(memberships.user_id, person.id), eq(memberships.network_id, main.id)));
  expect(await refusal(ada(updateUser, { body: mine }))).toMatchObject({ changed_by: '', fields: ['firstname'] });
});

test('§2.11 two administrators and the mode of a network', async () => {
  const { mode_version, server_mode } = await ada(listAvailableApps, { params: { server_id: network.id } });
  expect(server_mode).toBe('AdminManaged');
  await ben(setNetworkMode, { body: { server: 'northlab', mode: 'Visited', based_on: mode_version } });
  const body = { server: 'northlab', mode: 'All' } as const;
  expect(await refusal(ada(setNetworkMode, { body: { ...body, based_on: mode_version } }))).toEqual(byBen('mode'));
  const { version } = await ada(setNetworkMode, { body });
  await ada(setNetworkMode, { body: { server: 'northlab', mode: 'AdminManaged', based_on: version } });
});
