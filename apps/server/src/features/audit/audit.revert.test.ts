import {
  getAuditRecord,
  getGroup,
  getSettings,
  getSite,
  getUser,
  removeGroup,
  revertChange,
  type SettingsChanges,
  SocialProvider,
  saveDesktopApps,
  setNetworkMode,
  setSiteMode,
  updateGroup,
  updateSettings,
  updateSiteInfo,
  updateSubscriber,
  updateUser,
} from '@opensocial/contract';
import { desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, consoleSessions, networks, sites, type users } from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { defaultSettingsForm } from '../../testing/app/settings-form.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

let testApp: TestApp;
let north: { id: number };
let owner: typeof users.$inferSelect;
let call: ReturnType<TestApp['as']>;

const as = async (user: typeof users.$inferSelect) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = await as(owner);
});

const lastRecord = async () => {
  const [record] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
  if (!record) throw new Error('Nothing was recorded.');
  return record;
};
const here = (id: number) => ({ params: { server: 'northlab', id } });
const describeRecord = async (id: number) => (await call(getAuditRecord, here(id))).revert;
const socialKeys = Object.fromEntries(
  SocialProvider.options.flatMap((name) => [
    [`${name}_key`, ''],
    [`${name}_secret`, ''],
  ]),
) as Record<`${SocialProvider}_${'key' | 'secret'}`, string>;
const settingsForm = (changes: Partial<SettingsChanges>): SettingsChanges => ({
  server: 'northlab',
  ...defaultSettingsForm,
  ...socialKeys,
  ...changes,
});
const groupForm = (id: number, name: string, description = 'People') => ({
  body: { id, name, description, sso_server: north.id },
});

describe('§2.13 changes: a reverted change', () => {
  test('of a group sets the values from before, and its record names the reverted one', async () => {
    const group = await makeGroup(testApp.db, { name: 'Before' });
    await call(updateGroup, groupForm(group.id, 'After', group.description));
    const changed = await lastRecord();
    expect(await describeRecord(changed.id)).toEqual({ state: 'possible' });
    await call(revertChange, here(changed.id));
    expect(await call(getGroup, { params: { groupId: group.id } })).toMatchObject({ name: 'Before' });
    const record = await lastRecord();
    expect(record).toMatchObject({
      reverts_id: changed.id,
      actor: owner.email,
      subject_key: `group:${group.id}`,
      old_data: { name: 'After' },
      new_data: { name: 'Before' },
    });
    expect(await call(getAuditRecord, here(record.id))).toMatchObject({ reverts_id: changed.id });
    expect(await describeRecord(changed.id)).toMatchObject({
      state: 'impossible',
      reason: 'Everything already has the value that it had before this change.',
    });
    await expect(call(revertChange, here(changed.id))).rejects.toMatchObject({ status: 409, code: 'revert_stale' });
    // The revert can be reverted.
    await call(revertChange, here(record.id));
    expect(await call(getGroup, { params: { groupId: group.id } })).toMatchObject({ name: 'After' });
  });

  test('keeps what somebody has changed in other fields, and is refused for changed ones, with who did it', async () => {
    const group = await makeGroup(testApp.db, { name: 'First name' });
    await call(updateGroup, groupForm(group.id, 'Second name', group.description));
    const { id } = await lastRecord();
    await call(updateGroup, groupForm(group.id, 'Second name', 'Another description'));
    await call(revertChange, here(id));
    expect(await call(getGroup, { params: { groupId: group.id } })).toMatchObject({
      name: 'First name',
      description: 'Another description',
    });
    await call(updateGroup, groupForm(group.id, 'Third name'));
    expect(await describeRecord(id)).toMatchObject({
      state: 'changed',
      fields: [{ field: 'name', changed_by: owner.email }],
    });
    await expect(call(revertChange, here(id))).rejects.toMatchObject({ status: 409, code: 'revert_stale' });
  });

  test('passes the checks of a save: another group may have the name by now', async () => {
    const group = await makeGroup(testApp.db, { name: 'Wanted' });
    await call(updateGroup, groupForm(group.id, 'Given up'));
    const { id } = await lastRecord();
    await makeGroup(testApp.db, { name: 'wanted' });
    await expect(call(revertChange, here(id))).rejects.toMatchObject({ status: 409, code: 'group_exists' });
  });

  test('of the names of a user, the settings, the mode of the network and the desktop', async () => {
    const user = await makeUser(testApp.db, { firstname: 'Ana' });
    const { id: user_id, uid } = user;
    const names = { id: user_id, uid, firstname: 'Bea', lastname: 'Moreno', fullname: 'Bea Moreno' };
    const { status, user_mode } = await call(getUser, { params: { user_id } });
    await call(updateUser, {
      body: { ...names, status, user_mode, global_user: 'local', sso_server_id: north.id, groups: [] },
    });
    await call(revertChange, here((await lastRecord()).id));
    expect(await call(getUser, { params: { user_id } })).toMatchObject({ firstname: 'Ana' });

    const settings = await call(getSettings, { params: { server: 'northlab' } });
    await call(updateSettings, {
      params: { server: 'northlab' },
      body: settingsForm({ help_email: 'help@northlab.org', mfa: 'Enable', mfa_options: 'google' }),
    });
    const policy = await lastRecord();
    await testApp.db
      .update(consoleSessions)
      .set({ authenticated_at: new Date(Date.now() - 3_600_000) })
      .where(eq(consoleSessions.user_id, owner.id));
    await expect(call(revertChange, here(policy.id))).rejects.toMatchObject({ code: 'reauth_required' });
    await testApp.db
      .update(consoleSessions)
      .set({ authenticated_at: new Date() })
      .where(eq(consoleSessions.user_id, owner.id));
    await call(revertChange, here(policy.id));
    const { version: _version, ...expected } = settings;
    expect(await call(getSettings, { params: { server: 'northlab' } })).toMatchObject(expected);

    await call(setNetworkMode, { body: { server: 'northlab', mode: 'Visited' } });
    await call(revertChange, here((await lastRecord()).id));
    expect(await testApp.db.select().from(networks).where(eq(networks.id, north.id))).toMatchObject([
      { mode: 'AdminManaged' },
    ]);

    const [one, two] = [await makeSite(testApp.db), await makeSite(testApp.db, { desktop_position: 2 })];
    await call(saveDesktopApps, {
      params: { server_id: north.id },
      body: { available_apps: [one.id], desktop_apps: [two.id] },
    });
    const arranged = await lastRecord();
    expect(await describeRecord(arranged.id)).toEqual({ state: 'possible' });
    await call(revertChange, here(arranged.id));
    const positions = await testApp.db.select().from(sites).where(eq(sites.id, one.id));
    expect(positions).toMatchObject([{ desktop_position: 1 }]);
  });

  test('of a site sets its texts and look, but not its parameters or its mode', async () => {
    const site = await makeSite(testApp.db, {
      site_name: 'Before',
      icon_color: '#112233',
      login_url: 'https://reports.northlab.org/',
    });
    const info = {
      ...(await call(getSite, { params: { site_id: site.id } })),
      site_name: 'After',
      icon_color: '#445566',
    };
    const {
      id,
      site_name,
      login_url,
      icon_color,
      icon_background,
      text_color,
      text_background,
      icon_width,
      icon,
      icon_bg,
    } = info;
    await call(updateSiteInfo, {
      params: { server: 'northlab' },
      body: {
        id,
        site_name,
        login_url,
        icon_color,
        icon_background,
        text_color,
        text_background,
        icon_width,
        icon,
        icon_bg,
      },
    });
    const tile = await lastRecord();
    await call(revertChange, here(tile.id));
    expect(await call(getSite, { params: { site_id: site.id } })).toMatchObject({
      site_name: 'Before',
      icon_color: '#112233',
    });
    await call(setSiteMode, { params: { site_id: site.id, mode: 'Closed' } });
    const mode = await lastRecord();
    await call(updateSubscriber, {
      params: { server_name: 'northlab' },
      body: { id, identity: site.identity, domain: site.domain, acs: `${site.acs}/2`, sls: site.sls ?? '' },
    });
    const parameters = await lastRecord();
    for (const record of [mode, parameters]) {
      expect(await describeRecord(record.id)).toMatchObject({
        state: 'impossible',
        reason: expect.stringMatching(/^This change has an effect outside/) as unknown,
      });
      await expect(call(revertChange, here(record.id))).rejects.toMatchObject({ code: 'revert_impossible' });
    }
  });

  test('of secrets is impossible, because they are not recorded', async () => {
    await call(updateSettings, {
      params: { server: 'northlab' },
      body: settingsForm({ google_key: 'key', google_secret: 'a new secret' }),
    });
    expect(await describeRecord((await lastRecord()).id)).toMatchObject({
      state: 'impossible',
      reason: 'Keys and secrets of social logins cannot be reverted, because their former values are not recorded.',
    });
  });

  test('of a deletion leads to the trash while the object is there', async () => {
    const group = await makeGroup(testApp.db);
    const { trash_id } = await call(removeGroup, { params: { groupId: group.id } });
    const { id } = await lastRecord();
    expect(await call(getAuditRecord, here(id))).toMatchObject({ trash_id, revert: { state: 'impossible' } });
    await expect(call(revertChange, here(id))).rejects.toMatchObject({ code: 'revert_impossible' });
  });

  test('is not possible for an owner of another network, whose own record of it does not help', async () => {
    const group = await makeGroup(testApp.db);
    await call(updateGroup, groupForm(group.id, `Renamed ${group.id}`));
    const record = await lastRecord();
    const south = await networkNamed(testApp.db, 'southlab');
    const foreign = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
    for (const server of ['northlab', 'southlab'])
      await expect(foreign(revertChange, { params: { server, id: record.id } })).rejects.toMatchObject({ status: 404 });
    // A claim may contain any data, but no record of another object.
    const { id: _id, object: _object, ...copied } = record;
    const [planted] = await testApp.db
      .insert(auditRecords)
      .values({ ...copied, network_id: south.id })
      .returning();
    await expect(foreign(revertChange, { params: { server: 'southlab', id: planted?.id ?? 0 } })).rejects.toMatchObject(
      { code: 'revert_impossible' },
    );
    expect(await call(getGroup, { params: { groupId: group.id } })).toMatchObject({ name: `Renamed ${group.id}` });
  });

  test('twice at the same moment happens once', async () => {
    const group = await makeGroup(testApp.db, { name: 'Raced' });
    await call(updateGroup, groupForm(group.id, 'Raced again'));
    const { id } = await lastRecord();
    const outcomes = await Promise.allSettled([call(revertChange, here(id)), call(revertChange, here(id))]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});
