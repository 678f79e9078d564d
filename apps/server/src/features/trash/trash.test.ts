import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  acceptInvitation,
  createGroup,
  createSite,
  createUser,
  emptyTrash,
  getTrashRetention,
  leaveNetwork,
  listTrash,
  listUsers,
  type Removed,
  removeFromTrash,
  removeGroup,
  removeIconImage,
  removeImage,
  removeSite,
  removeUser,
  restoreFromTrash,
} from '@opensocial/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  auditRecords,
  consoleSessions,
  declinedInvitations,
  desktopFavourites,
  desktopSectionSites,
  desktopSections,
  emailTemplates,
  groupSites,
  groups,
  groupUsers,
  identitySessions,
  images,
  memberships,
  networkSettings,
  oidcSecrets,
  oneTimeTokens,
  owners,
  passwordHistory,
  profilePictures,
  recoveryCodes,
  refreshNotices,
  signingKeys,
  signingKeyUses,
  siteAnnouncements,
  siteRefreshes,
  sites,
  siteVisits,
  socialIdentities,
  trash,
  trashRows,
  users,
} from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';
import {
  makeGroup,
  makeImage,
  makeOidcSite,
  makePasskey,
  makeSite,
  makeUser,
  networkNamed,
  password,
  signInto,
} from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { ServiceProvider } from '../../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';
import { removeImageFilesTask } from '../media/media.jobs.ts';
import { partsOf } from './trash.parts.ts';
import { expireTrash, measureTrash } from './trash.service.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let call: ReturnType<TestApp['as']>;
let owner: User;
let foreign: ReturnType<TestApp['as']>;

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'], firstname: 'Zoe' });
  call = await as(owner);
  foreign = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
});

const idOf = ({ trash_id }: Removed): number => trash_id ?? 0;
const here = (id: number) => ({ params: { server: 'northlab', id } });
const restore = async (removed: Removed) => call(restoreFromTrash, here(idOf(removed)));
const deleteSite = (site: { id: number }) => call(removeSite, { params: { site_id: site.id, sso_server: 'northlab' } });
const deleteGroup = (group: { id: number }) => call(removeGroup, { params: { groupId: group.id } });
const deleteUser = (user: User) =>
  call(removeUser, { body: { id: user.id, uid: user.uid, server_id: north.id, sso_server: 'northlab' } });
const list = (more: { kind?: 'site' | 'user' | 'group' | 'image'; keyword?: string; lastid?: number } = {}) =>
  call(listTrash, { params: { server: 'northlab', lastid: 0, ...more } });
const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

/** Tables that change with every call, and those that only a restore has. */
const unrelated = ['audit_chain_waiting', 'audit_records', 'console_sessions', 'throttles', 'trash', 'trash_rows'];
/** What a restored row has anew, because of caches, sessions and trusted browsers. */
const renewed = ['version', 'sessions_ended_at', 'credentials_at'];

/** All rows of all tables, for comparing the whole database. */
const readAll = async (): Promise<Record<string, unknown[]>> => {
  const { rows: tables } = await testApp.db.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition`);
  const read: Record<string, unknown[]> = {};
  for (const { name } of tables.filter((table) => !unrelated.includes(table.name))) {
    const { rows } = await testApp.db.execute<{ row: object }>(
      sql`select to_jsonb(t) - ${sql.param(renewed)}::text[] as row from ${sql.identifier(name)} as t order by 1`,
    );
    read[name] = rows.map(({ row }) => row);
  }
  return read;
};

/** Deletes and restores. Returns the notes, and checks that every table is as before. */
const expectRoundTrip = async (remove: () => Promise<Removed>, goneTables: readonly string[]): Promise<void> => {
  const before = await readAll();
  const removed = await remove();
  const between = await readAll();
  const changed = Object.keys(before).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(between[name]));
  // Each table of the object had a row, so that the comparison below says something.
  expect(changed).toEqual(expect.arrayContaining([...goneTables]));
  expect(await restore(removed)).toMatchObject({ notes: [] });
  expect(await readAll()).toEqual(before);
  await expect(restore(removed)).rejects.toMatchObject({ status: 404 });
};

const tablesOf = (kind: 'site' | 'user' | 'group' | 'image', whole = true) =>
  partsOf({ kind, whole }).map(
    ({ table }) => (table as unknown as { [key: symbol]: string })[Symbol.for('drizzle:Name')] ?? '',
  );

const placeInSection = async ({ id: user_id }: User, site_id: number): Promise<{ id: number }> => {
  const [section = { id: 0 }] = await testApp.db
    .insert(desktopSections)
    .values({ network_id: north.id, user_id, name: 'Daily', position: 0, is_collapsed: true })
    .returning({ id: desktopSections.id });
  await testApp.db.insert(desktopSectionSites).values({ user_id, site_id, section_id: section.id, position: 3 });
  return section;
};

const fullSite = async (): Promise<typeof sites.$inferSelect> => {
  const { db } = testApp;
  const group = await makeGroup(db);
  const member = await makeUser(db);
  const logo = await makeImage(db);
  const picture = await makeImage(db, { kind: 'icon' });
  const [key] = await db
    .select({ id: signingKeys.id })
    .from(signingKeys)
    .where(and(eq(signingKeys.network_id, north.id), eq(signingKeys.state, 'current')));
  const site = await makeOidcSite(db, {
    groups: [group.id],
    logo: logo.name,
    background: logo.name,
    icon_bg: picture.name,
    signing_key_id: key?.id ?? null,
    testers_group_id: group.id,
    closes_at: new Date(Date.now() + 3_600_000),
    auth_options: ['google', 'a "quoted", one'],
    attributes: [],
    metadata_url: 'https://x.northlab.org/metadata',
    desktop_position: 7,
  });
  await db.insert(siteVisits).values({ user_id: member.id, site_id: site.id });
  await db.insert(desktopFavourites).values({ user_id: member.id, site_id: site.id });
  await placeInSection(member, site.id);
  await db.insert(siteAnnouncements).values({ site_id: site.id, uid: `u${site.id}`, mode: 'Closed', tries: 3 });
  await db.insert(signingKeyUses).values({ key_id: key?.id ?? 0, site_id: site.id });
  await db.insert(siteRefreshes).values({
    site_id: site.id,
    url: 'https://x.northlab.org/metadata',
    next_at: new Date(),
    found: { acs: [1, null, 'x'] },
  });
  await db.insert(refreshNotices).values({ site_id: site.id, kind: 'failure', digest: 'd' });
  await db.insert(oidcSecrets).values({ site_id: site.id, secret_hash: randomBytes(32), hint: 'abcd' });
  return site;
};

const fullUser = async (draft: Parameters<typeof makeUser>[1] = {}): Promise<User> => {
  const { db, parts } = testApp;
  const user = await makeUser(db, {
    totp_secret: parts.vault.encrypt('the secret of the app'),
    passkey_handle: randomBytes(16),
    bypass_inactivity: true,
    email_mfa: true,
    last_login_at: new Date('2026-03-04T05:06:07.123Z'),
    ...draft,
  });
  await makeGroup(db, { users: [user.id] });
  await db.insert(owners).values({ network_id: north.id, email: user.email });
  const known = { user_id: user.id, site_id: (await makeSite(db)).id };
  await db.insert(siteVisits).values(known);
  await db.insert(desktopFavourites).values(known);
  await placeInSection(user, known.site_id);
  await db.insert(passwordHistory).values({ user_id: user.id, password_hash: 'hash' });
  await db.insert(recoveryCodes).values({ user_id: user.id, code_hash: randomBytes(32) });
  await makePasskey(db, user);
  await db.insert(socialIdentities).values({ user_id: user.id, provider: 'google', subject: user.uid });
  await db.insert(profilePictures).values({ name: `/server/sso/profile_pic/${user.uid}.webp`, user_id: user.id });
  return user;
};

describe('every table', () => {
  /** What is not copied on purpose, by the table that it refers to. */
  const leftOut: Record<string, string[]> = {
    sites: [
      // Sessions, sign-ins and logouts in progress, tokens.
      'identity_session_sites',
      'logout_sites',
      'logouts',
      'oidc_grants',
      'sign_ins',
      // Measured again within minutes, and the recent exchanges of the diagnosis.
      'site_checks',
      'site_exchanges',
      'site_tests',
      // Only set to null: what an error page said is still known.
      'error_references',
    ],
    users: [
      'console_sessions',
      'identity_sessions',
      'oidc_grants',
      'activation_proofs',
      'one_time_tokens',
      'pending_totp',
      'sign_ins',
      'site_exchanges',
      'site_tests',
      // Only set to null: who tries a new signing key, and who has seen an error page.
      'signing_keys',
      'error_references',
    ],
    // Only set to null: restored as a link.
    groups: ['sites'],
    images: [],
  };

  /** A membership ends with its person. */
  const roots = { site: ['sites'], user: ['users', 'memberships'], group: ['groups'], image: ['images'] };

  test.for(['site', 'user', 'group', 'image'] as const)(
    'that refers to a %s is copied, or left out on purpose',
    async (kind) => {
      const { rows } = await testApp.db.execute<{ name: string }>(sql`
      select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = any(${sql.param(roots[kind])}::text[]::regclass[]) order by 1`);
      const copied = tablesOf(kind).filter((name) => name !== `${kind}s`);
      const known = [...copied, ...(leftOut[`${kind}s`] ?? [])];
      // Ownership is by address, not by a foreign key.
      expect(known.filter((name) => name !== 'owners').toSorted()).toEqual(rows.map(({ name }) => name));
    },
  );
});

describe('a round trip', () => {
  test('restores a site with everything that belongs to it', async () => {
    const site = await fullSite();
    await expectRoundTrip(() => deleteSite(site), tablesOf('site'));
    const [restored] = await testApp.db.select().from(sites).where(eq(sites.id, site.id));
    // Caches of the servers compare the version.
    expect(restored?.version).toBeGreaterThan(site.version);
    expect(await lastAudit()).toMatchObject({
      description: `restore site ${site.domain}`,
      object: 'site',
      actor: owner.email,
    });
  });

  test('restores an account with its credentials, without sessions, trusted browsers and tokens', async () => {
    const user = await fullUser();
    await signInto(testApp.db, testApp.browser(), user);
    await testApp.db.insert(oneTimeTokens).values({
      token_hash: randomBytes(32),
      user_id: user.id,
      network_id: north.id,
      purpose: 'reset',
      expires_at: new Date(Date.now() + 60_000),
    });
    const before = await readAll();
    const removed = await deleteUser(user);
    expect(await testApp.db.$count(users, eq(users.id, user.id))).toBe(0);
    expect(await restore(removed)).toMatchObject({ notes: [] });
    const after = await readAll();
    for (const name of ['identity_sessions', 'one_time_tokens']) {
      expect(after[name]).toEqual(before[name]?.filter((row) => (row as { user_id: number }).user_id !== user.id));
      before[name] = after[name] ?? [];
    }
    expect(after).toEqual(before);
    expect(await testApp.db.$count(consoleSessions, eq(consoleSessions.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
    const [restored] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(restored?.credentials_at.getTime()).toBeGreaterThan(user.credentials_at.getTime());
    expect(testApp.parts.vault.decrypt(restored?.totp_secret ?? Buffer.of()).toString()).toBe('the secret of the app');
  });

  test('restores a row of every table of an account', async () => {
    const user = await fullUser();
    await expectRoundTrip(() => deleteUser(user), tablesOf('user'));
  });

  test('restores the membership and the home network of a person whose account stayed', async () => {
    const user = await fullUser({ alsoIn: ['southlab'] });
    await expectRoundTrip(() => deleteUser(user), [...tablesOf('user', false), 'users']);
    const [restored] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(restored?.home_network_id).toBe(north.id);
  });

  test('ends the sessions of a person whose account stayed', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const before = new Date();
    await restore(await deleteUser(user));
    const [membership] = await testApp.db
      .select()
      .from(memberships)
      .where(and(eq(memberships.user_id, user.id), eq(memberships.network_id, north.id)));
    expect(membership?.sessions_ended_at?.getTime()).toBeGreaterThanOrEqual(before.getTime() - 1_000);
  });

  test('restores a group with its users and sites, and as the testers of a site', async () => {
    const user = await makeUser(testApp.db);
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db, { users: [user.id], sites: [site.id] });
    await testApp.db.update(sites).set({ testers_group_id: group.id }).where(eq(sites.id, site.id));
    await expectRoundTrip(() => deleteGroup(group), [...tablesOf('group'), 'sites']);
  });

  test('restores an image wherever it was used', async () => {
    const image = await makeImage(testApp.db, { title: 'The tree', alt_text: 'A tree' });
    await makeSite(testApp.db, { logo: image.name, background: image.name });
    await testApp.db
      .update(networkSettings)
      .set({ logo: image.name, background: image.name, footer: image.name })
      .where(eq(networkSettings.network_id, north.id));
    const remove = () => call(removeImage, { params: { name: image.name }, query: { force: 'true' } });
    await expectRoundTrip(remove, ['images', 'sites', 'network_settings']);
    const icon = await makeImage(testApp.db, { kind: 'icon' });
    await makeSite(testApp.db, { icon_bg: icon.name });
    await expectRoundTrip(
      () => call(removeIconImage, { params: { server: 'northlab', name: icon.name }, query: { force: 'true' } }),
      ['images', 'sites'],
    );
  });
});

describe('§2.18 trash: a restored site', () => {
  test('signs people on again with the same persistent NameID', async () => {
    const site = await makeSite(testApp.db, { name_id_format: 'persistent' });
    const provider = await ServiceProvider.of(testApp, site, { identifierFormat: null });
    const user = await makeUser(testApp.db);
    const browser = testApp.browser();
    const page = await browser.submit(await browser.get(await provider.signInUrl()), { email: user.email, password });
    const { nameID } = await provider.receive(page);
    const removed = await deleteSite(site);
    expect((await browser.get(await provider.signInUrl())).form?.fields['SAMLResponse']).toBeUndefined();
    await restore(removed);
    const again = await provider.receive(await browser.get(await provider.signInUrl()));
    expect(again.nameID).toBe(nameID);
    expect(nameID).not.toContain('@');
  });

  test('is in the section of a person again, unless the person has deleted the section', async () => {
    const member = await makeUser(testApp.db);
    const [first, second] = [await makeSite(testApp.db), await makeSite(testApp.db)];
    await placeInSection(member, first.id);
    const gone = await placeInSection(member, second.id);
    const removed = [await deleteSite(first), await deleteSite(second)];
    await testApp.db.delete(desktopSections).where(eq(desktopSections.id, gone.id));
    for (const each of removed) expect(await restore(each)).toMatchObject({ notes: [] });
    expect(
      await testApp.db.select().from(desktopSectionSites).where(eq(desktopSectionSites.user_id, member.id)),
    ).toMatchObject([{ site_id: first.id, position: 3 }]);
  });

  test('is refused if its identity or ACS URL is taken, and stays in the trash', async () => {
    for (const [changes, code] of [
      [{}, 'site_identity_taken'],
      [{ identity: 'https://other.northlab.org/metadata' }, 'site_acs_taken'],
    ] as const) {
      const site = await makeSite(testApp.db);
      const removed = await deleteSite(site);
      const taken = { identity: site.identity, acs: site.acs, sls: site.sls ?? '', domain: site.domain, ...changes };
      await call(createSite, { params: { server_id: north.id, server_name: 'northlab' }, body: taken });
      await expect(restore(removed)).rejects.toMatchObject({ status: 409, code });
      expect((await list({ keyword: site.domain })).entries).toMatchObject([{ id: removed.trash_id }]);
    }
  });

  test('leaves out what is gone, says so, and stays closed if all its groups are gone', async () => {
    const [first, second] = [await makeGroup(testApp.db, { name: 'Chemists' }), await makeGroup(testApp.db)];
    const logo = await makeImage(testApp.db);
    const site = await makeSite(testApp.db, {
      groups: [first.id, second.id],
      logo: logo.name,
      testers_group_id: first.id,
    });
    const removed = await deleteSite(site);
    await deleteGroup(first);
    await call(removeImage, { params: { name: logo.name }, query: {} });
    expect((await restore(removed)).notes).toEqual([
      'The group Chemists no longer exists, so it was left out.',
      'The group of testers no longer exists, so it was left out.',
      'The site logo no longer exists, so it was left out.',
    ]);
    expect(await testApp.db.select().from(sites).where(eq(sites.id, site.id))).toMatchObject([
      { site_mode: 'Open', logo: null, testers_group_id: null },
    ]);
    const again = await deleteSite(site);
    await deleteGroup(second);
    expect((await restore(again)).notes.at(-1)).toMatch(
      /^None of its groups exists any more\. The site was restored as closed/,
    );
    const [closed] = await testApp.db.select().from(sites).where(eq(sites.id, site.id));
    expect(closed).toMatchObject({ site_mode: 'Closed' });
  });

  test('needs a fresh sign-in, like its deletion', async () => {
    const site = await makeSite(testApp.db);
    const removed = await deleteSite(site);
    const stale = await makeUser(testApp.db, { owns: ['northlab'] });
    const old = await as(stale);
    await testApp.db
      .update(consoleSessions)
      .set({ authenticated_at: new Date(Date.now() - 3_600_000) })
      .where(eq(consoleSessions.user_id, stale.id));
    for (const attempt of [
      () => old(restoreFromTrash, here(idOf(removed))),
      () => old(removeFromTrash, here(idOf(removed))),
      () => old(emptyTrash, { params: { server: 'northlab' } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    const group = await deleteGroup(await makeGroup(testApp.db));
    await expect(old(restoreFromTrash, here(idOf(group)))).resolves.toMatchObject({ notes: [] });
    const formerOwner = await deleteUser(await makeUser(testApp.db, { owns: ['northlab'] }));
    await expect(old(restoreFromTrash, here(idOf(formerOwner)))).rejects.toMatchObject({ code: 'reauth_required' });
  });
});

describe('§2.18 trash: a restored person', () => {
  const invite = (email: string) =>
    call(createUser, {
      body: {
        email,
        firstname: 'Ana',
        lastname: 'Moreno',
        sso_server_id: north.id,
        signup_server: 'northlab',
        signup_from: 'http://localhost:8080',
        groups: [],
      },
    });

  test('is refused if the address has another account by now', async () => {
    const user = await makeUser(testApp.db);
    const removed = await deleteUser(user);
    await makeUser(testApp.db, { email: user.email, network: 'southlab' });
    await expect(restore(removed)).rejects.toMatchObject({ status: 409, code: 'person_changed' });
    const withPasskey = await fullUser();
    const second = await deleteUser(withPasskey);
    await testApp.db
      .insert(socialIdentities)
      .values({ user_id: owner.id, provider: 'google', subject: withPasskey.uid });
    await expect(restore(second)).rejects.toMatchObject({ code: 'person_changed' });
    expect(await testApp.db.$count(memberships, eq(memberships.user_id, withPasskey.id))).toBe(0);
  });

  test('is refused if they were invited again, and possible once that invitation is deleted', async () => {
    const user = await makeUser(testApp.db);
    const removed = await deleteUser(user);
    const invited = await invite(user.email);
    await expect(restore(removed)).rejects.toMatchObject({ status: 409, code: 'user_returned' });
    const [invitation] = await testApp.db.select().from(users).where(eq(users.id, invited.id));
    const second = await deleteUser(invitation ?? user);
    await restore(removed);
    await expect(restore(second)).rejects.toMatchObject({ code: 'user_returned' });
  });

  test('keeps the invitation of another network that came meanwhile, and learns nothing of it', async () => {
    const user = await makeUser(testApp.db);
    const removed = await deleteUser(user);
    await makeUser(testApp.db, {
      email: user.email,
      network: 'southlab',
      provisional: true,
      status: 'NonConfirmed',
      password_hash: null,
    });
    expect(await restore(removed)).toEqual({ message: 'The deletion was undone.', notes: [] });
    expect(await testApp.db.$count(users, eq(users.email, user.email))).toBe(2);
    const listed = await call(listUsers, {
      params: { serverId: north.id, serverName: 'northlab', lastId: 0, keyword: user.email },
    });
    expect(listed.users).toMatchObject([{ id: user.id, status: 'Confirmed' }]);
  });

  test('is refused if they have declined since, or if their account is gone, with the same message', async () => {
    const declined = await makeUser(testApp.db);
    const removed = await deleteUser(declined);
    await testApp.db.insert(declinedInvitations).values({
      network_id: north.id,
      email_hash: hashToken(declined.email),
      declined_at: new Date(Date.now() + 1_000),
    });
    const gone = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const second = await deleteUser(gone);
    await testApp.db.delete(users).where(eq(users.id, gone.id));
    for (const each of [removed, second])
      await expect(restore(each)).rejects.toMatchObject({ status: 409, code: 'person_changed' });
  });

  test('is not restored after they have joined again and left by their own decision', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const removed = await deleteUser(user);
    const theirs = await as(user);
    const invitation = { email: user.email, firstname: 'Any', lastname: 'Name', groups: [] };
    await call(createUser, {
      body: { ...invitation, sso_server_id: north.id, signup_from: testOrigin, signup_server: 'northlab' },
    });
    await theirs(acceptInvitation, { params: { server: 'northlab' } });
    await theirs(leaveNetwork, { params: { server: 'northlab' } });
    await expect(restore(removed)).rejects.toMatchObject({ status: 404 });
    const [account] = await testApp.db.select().from(users).where(eq(users.id, user.id));
    expect(account).toMatchObject({ home_network_id: south.id });
  });

  test('is an owner again only if the deletion has ended the ownership, and the owners are told', async () => {
    const former = await makeUser(testApp.db, { owns: ['northlab'] });
    const removed = await deleteUser(former);
    const mails = await mailsQueuedBy(testApp, async () => {
      await restore(removed);
    });
    expect(mails.map(({ subject }) => subject)).toContain('An owner of northlab was restored');
    expect(await testApp.db.$count(owners, eq(owners.email, former.email))).toBe(1);
    await testApp.db.delete(owners).where(eq(owners.email, former.email));
    await restore(await deleteUser(former));
    expect(await testApp.db.$count(owners, eq(owners.email, former.email))).toBe(0);
  });

  test('is not in groups that are gone', async () => {
    const user = await makeUser(testApp.db);
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((name) => `${name} of ${user.uid}`);
    const made = [];
    for (const name of names) made.push(await makeGroup(testApp.db, { name, users: [user.id] }));
    const kept = await makeGroup(testApp.db, { users: [user.id] });
    const removed = await deleteUser(user);
    for (const group of made) await deleteGroup(group);
    expect((await restore(removed)).notes).toEqual([
      `The groups ${names.slice(0, 5).join(', ')}, and 2 more no longer exist, so they were left out.`,
    ]);
    expect(await testApp.db.select().from(groupUsers).where(eq(groupUsers.user_id, user.id))).toMatchObject([
      { group_id: kept.id },
    ]);
  });
});

describe('§2.18 trash: a restored group', () => {
  test('is refused if another group has its name, in any case', async () => {
    const group = await makeGroup(testApp.db);
    const removed = await deleteGroup(group);
    await call(createGroup, {
      body: { name: group.name.toUpperCase(), description: 'x', sso_server: north.id },
    });
    await expect(restore(removed)).rejects.toMatchObject({ status: 409, code: 'group_name_taken' });
  });

  test('does not contain people who have left the network, even if their account still exists', async () => {
    const stays = await makeUser(testApp.db);
    const leaves = await makeUser(testApp.db, { alsoIn: ['southlab'], email: 'leaves@northlab.org' });
    const site = await makeSite(testApp.db);
    const group = await makeGroup(testApp.db, { users: [stays.id, leaves.id], sites: [site.id] });
    const removed = await deleteGroup(group);
    await deleteUser(leaves);
    await deleteSite(site);
    expect((await restore(removed)).notes).toEqual([
      'leaves@northlab.org is no longer in the network, so they were left out.',
      `The site ${site.domain} no longer exists, so it was left out.`,
    ]);
    expect(await testApp.db.$count(groupUsers, eq(groupUsers.group_id, group.id))).toBe(1);
    expect(await testApp.db.$count(groupSites, eq(groupSites.group_id, group.id))).toBe(0);
  });
});

describe('§2.18 trash: a restored image', () => {
  test('does not replace an image that was chosen meanwhile', async () => {
    const [image, other] = [await makeImage(testApp.db), await makeImage(testApp.db)];
    const site = await makeSite(testApp.db, { logo: image.name });
    const removed = await call(removeImage, { params: { name: image.name }, query: { force: 'true' } });
    await testApp.db.update(sites).set({ logo: other.name }).where(eq(sites.id, site.id));
    expect((await restore(removed)).notes).toEqual([
      `The site logo of ${site.domain} was changed since the deletion, so it stays as it is.`,
    ]);
    expect(await testApp.db.select().from(sites).where(eq(sites.id, site.id))).toMatchObject([{ logo: other.name }]);
  });

  test('that was in a mail says that it has to be added there again', async () => {
    const image = await makeImage(testApp.db);
    const html = `<img src="http://localhost:8080/server/sso/sso_images/image/${image.name}" />`;
    await testApp.db
      .insert(emailTemplates)
      .values({ network_id: north.id, kind: 'reset', html, design: null })
      .onConflictDoUpdate({ target: [emailTemplates.network_id, emailTemplates.kind], set: { html } });
    const removed = await call(removeImage, { params: { name: image.name }, query: { force: 'true' } });
    expect((await restore(removed)).notes).toEqual(['The image was used in email templates. Add it to them again.']);
  });

  test('still has its file, which is removed when the entry expires', async () => {
    const { parts, db } = testApp;
    const image = await makeImage(db, { size: 5_000 });
    const file = join(testApp.dataDir, 'picture');
    await writeFile(file, 'picture');
    await parts.storage.put(image.name, file);
    const removeFiles = removeImageFilesTask(parts);
    const run = () => removeFiles({ name: image.name }, {} as never);
    const removed = await call(removeImage, { params: { name: image.name }, query: {} });
    await run();
    expect(await parts.storage.get(image.name)).toBeDefined();
    expect(await measureTrash(db, north.id)).toBeGreaterThanOrEqual(5_000);
    await db
      .update(trash)
      .set({ expires_at: new Date(0) })
      .where(eq(trash.id, idOf(removed)));
    await expireTrash(parts);
    expect(await db.$count(trashRows, eq(trashRows.trash_id, idOf(removed)))).toBe(0);
    await run();
    expect(await parts.storage.get(image.name)).toBeUndefined();
    expect(await db.$count(images, eq(images.id, image.id))).toBe(0);
  });
});

describe('§2.18 trash: the list', () => {
  test('is paged, the latest first, searched, filtered by kind, and says who deleted what', async () => {
    const names = ['Listed one', 'Listed two', 'Listed three', 'Listed four', 'Listed five', 'Listed six'];
    for (const name of names) await deleteGroup(await makeGroup(testApp.db, { name }));
    const site = await makeSite(testApp.db, { site_name: 'Listed reports' });
    await deleteSite(site);
    const first = await list({ keyword: 'listed' });
    expect(first.all_entries).toBe(7);
    expect(first.entries.map(({ label }) => label)).toEqual([
      site.domain,
      'Listed six',
      'Listed five',
      'Listed four',
      'Listed three',
    ]);
    expect(first.entries[0]).toMatchObject({ kind: 'site', detail: 'Listed reports', deleted_by: owner.email });
    const days = (Date.parse(first.entries[0]?.expires_at ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    const second = await list({ keyword: 'listed', lastid: first.entries.at(-1)?.id ?? 0 });
    expect(second.entries.map(({ label }) => label)).toEqual(['Listed two', 'Listed one']);
    expect((await list({ keyword: 'listed', kind: 'site' })).all_entries).toBe(1);
    expect(await call(getTrashRetention, { params: { server: 'northlab' } })).toEqual({ days: 30 });
  });

  test("another network's entries do not exist", async () => {
    const removed = await deleteGroup(await makeGroup(testApp.db));
    const southern = { params: { server: 'southlab', id: idOf(removed) } };
    for (const attempt of [
      () => foreign(restoreFromTrash, here(idOf(removed))),
      () => foreign(removeFromTrash, here(idOf(removed))),
      () => foreign(restoreFromTrash, southern),
      () => foreign(removeFromTrash, southern),
      () => foreign(listTrash, { params: { server: 'northlab', lastid: 0 } }),
      () => foreign(emptyTrash, { params: { server: 'northlab' } }),
      () =>
        foreign(listTrash, { params: { server: 'southlab', lastid: idOf(removed) } }).catch(
          (error: { status: number }) => {
            throw Object.assign(new Error('gone'), { status: error.status === 410 ? 404 : error.status });
          },
        ),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 });
    expect((await foreign(listTrash, { params: { server: 'southlab', lastid: 0 } })).all_entries).toBe(0);
    await foreign(emptyTrash, { params: { server: 'southlab' } });
    await restore(removed);
  });

  test('loses an entry for good with a permanent deletion, which is recorded', async () => {
    const group = await makeGroup(testApp.db);
    const removed = await deleteGroup(group);
    await call(removeFromTrash, here(idOf(removed)));
    expect(await lastAudit()).toMatchObject({
      description: `delete group ${group.name} from the trash`,
      object: 'group',
    });
    await expect(restore(removed)).rejects.toMatchObject({ status: 404 });
    expect(await testApp.db.$count(groups, eq(groups.id, group.id))).toBe(0);
  });

  test('of a deleted network is deleted with it', async () => {
    const [gone] = await testApp.db
      .insert(trash)
      .values({
        network_id: south.id,
        kind: 'group',
        subject_id: 1,
        label: 'x',
        detail: '',
        deleted_by: 'x',
        expires_at: new Date(),
        audit_id: 1,
      })
      .returning();
    const { rows } = await testApp.db.execute<{ rule: string }>(
      sql`select confdeltype as rule from pg_constraint where conrelid = 'trash'::regclass and confrelid = 'networks'::regclass`,
    );
    expect(rows).toEqual([{ rule: 'c' }]);
    await testApp.db.delete(trash).where(eq(trash.id, gone?.id ?? 0));
  });
});

describe('§2.18 trash: at the same moment', () => {
  test('two restores restore once', async () => {
    for (let round = 0; round < 10; round += 1) {
      const group = await makeGroup(testApp.db, { users: [owner.id] });
      const removed = await deleteGroup(group);
      const outcomes = await Promise.allSettled([restore(removed), restore(removed), restore(removed)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => (reason as { status: number }).status)).toEqual([404, 404]);
      expect(await testApp.db.$count(groupUsers, eq(groupUsers.group_id, group.id))).toBe(1);
    }
  });

  test('a restore and a permanent deletion: one of them happens', async () => {
    for (let round = 0; round < 10; round += 1) {
      const group = await makeGroup(testApp.db);
      const removed = await deleteGroup(group);
      const [restored, deleted] = await Promise.allSettled([
        restore(removed),
        call(removeFromTrash, here(idOf(removed))),
      ]);
      expect([restored.status, deleted.status].toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await testApp.db.$count(groups, eq(groups.id, group.id))).toBe(restored.status === 'fulfilled' ? 1 : 0);
    }
  });
});

describe('§2.18 trash: emptied', () => {
  test('by an owner, completely, with a record for each object', async () => {
    const removed = await deleteGroup(await makeGroup(testApp.db, { name: 'Emptied' }));
    await call(emptyTrash, { params: { server: 'northlab' } });
    expect((await list()).all_entries).toBe(0);
    expect(await testApp.db.$count(trashRows)).toBe(0);
    await expect(restore(removed)).rejects.toMatchObject({ status: 404 });
    const records = await testApp.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, 'delete group Emptied from the trash'));
    expect(records).toHaveLength(1);
  });

  test('by the configuration, which then keeps nothing', async () => {
    await deleteGroup(await makeGroup(testApp.db));
    const none = await buildTestApp({ TRASH_RETENTION_DAYS: '0' });
    const caller = none.as(await signInto(none.db, none.browser(), await makeUser(none.db, { owns: ['northlab'] })));
    const group = await makeGroup(none.db);
    expect(await caller(removeGroup, { params: { groupId: group.id } })).toMatchObject({ trash_id: null });
    expect(await caller(getTrashRetention, { params: { server: 'northlab' } })).toEqual({ days: 0 });
    expect(await none.db.$count(trash)).toBe(0);
    await expireTrash({ ...testApp.parts, config: none.parts.config });
    expect(await testApp.db.$count(trash)).toBe(0);
  });
});
