import {
  assignGroup,
  changeUser,
  createUser,
  getAllSignupStatistics,
  getRole,
  getSession,
  getSignupStatistics,
  getUser,
  importUsers,
  listGroupsToAssignToUser,
  listUserGroups,
  listUserLog,
  listUserSites,
  listUsers,
  removeUser,
  removeUserGroup,
  resendInvitation,
  setNeverDisable,
  setUserMode,
  updateUser,
} from '@opensocial/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  auditRecords,
  groupUsers,
  loginLog,
  memberships,
  networks,
  oneTimeTokens,
  owners,
  siteVisits,
  users,
} from '../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let south: { id: number };
let owner: User;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
  south = await networkNamed(testApp.db, 'southlab');
  owner = await makeUser(testApp.db, { owns: ['northlab'], firstname: 'Zoe' });
  call = await as(owner);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const stored = async (id: number) => (await testApp.db.select().from(users).where(eq(users.id, id)))[0];
const byEmail = async (email: string) => (await testApp.db.select().from(users).where(eq(users.email, email)))[0];
const lastAudit = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];
const queuedMails = async (): Promise<number> => {
  const { rows } = await testApp.db.execute<{ total: number }>(
    sql`select count(*)::int as total from graphile_worker._private_jobs`,
  );
  return rows[0]?.total ?? 0;
};
const draft = (email: string, changes = {}) => ({
  email,
  firstname: 'Bea',
  lastname: 'Ito',
  sso_server_id: north.id,
  signup_from: 'http://localhost:8080/sso-servers/northlab/users/new',
  signup_server: 'northlab',
  groups: [],
  ...changes,
});

describe('§7.5 the users of a network', () => {
  const list = (changes: Record<string, unknown> = {}) =>
    call(listUsers, { params: { serverId: north.id, serverName: 'northlab', lastId: 0, ...changes } });
  const names = async (changes: Record<string, unknown>) =>
    (await list({ keyword: 'listed.org', ...changes })).users.map(({ firstname }) => firstname);
  beforeAll(async () => {
    const people: [string, Partial<User>][] = [
      ['Cleo', {}],
      ['Ana', { status: 'NonConfirmed' }],
      ['Bea', { user_mode: 'Disable' }],
      ['Dora', { created_at: new Date('2026-02-10T23:59:59Z') }],
      ['Elsa', { created_at: new Date('2026-02-11T00:00:00Z') }],
      ['Fay', {}],
    ];
    for (const [firstname, rest] of people)
      await makeUser(testApp.db, { firstname, email: `${firstname.toLowerCase()}@listed.org`, ...rest });
    await makeUser(testApp.db, { firstname: 'Elsewhere', email: 'else@listed.org', network: 'southlab' });
  });

  test('are paged by full name, with the total and the mode of the network', async () => {
    const first = await list({ keyword: 'listed.org' });
    expect(first.users.map(({ firstname }) => firstname)).toEqual(['Ana', 'Bea', 'Cleo', 'Dora', 'Elsa']);
    expect(first).toMatchObject({ all_users: 6, network_mode: 'AdminManaged' });
    expect(first.users[0]).toMatchObject({
      status: 'NonConfirmed',
      user_mode: 'Active',
      signup_server: 'northlab',
      last_login: null,
    });
    expect(await names({ lastId: first.users.at(-1)?.id })).toEqual(['Fay']);
  });

  test('are filtered by status, mode and time, searched by name and email', async () => {
    expect(await names({ filter: 'NonConfirmed' })).toEqual(['Ana']);
    expect(await names({ user_mode: 'Disable' })).toEqual(['Bea']);
    expect(await names({ time: '2026-02-10,2026-02-10' })).toEqual(['Dora']);
    expect(await names({ time: '2026-02-10,2026-02-11', user_mode: 'Active' })).toEqual(['Dora', 'Elsa']);
    expect((await list({ keyword: 'cleo mor' })).users.map(({ email }) => email)).toEqual(['cleo@listed.org']);
  });

  test('are found in any case, with special characters taken literally, and never across name and email', async () => {
    await makeUser(testApp.db, { firstname: 'ÅSA', lastname: 'Öst_100%', email: 'asa@searched.org' });
    const found = async (keyword: string) => (await list({ keyword })).users.map(({ email }) => email);
    for (const keyword of ['åsa öst', 'ÖS', 't_1', '0%', 'ASA@Searched'])
      expect(await found(keyword), keyword).toEqual(['asa@searched.org']);
    for (const keyword of ['Öst%100', 'Öst.100', '100%asa', '100% asa', String.raw`t\_1`])
      expect(await found(keyword), keyword).toEqual([]);
  });

  test('are found by any two adjacent characters', async () => {
    await makeUser(testApp.db, { firstname: '🦉_Qq', lastname: '9% İ', email: 'zzqx@two.org' });
    await makeUser(testApp.db, { firstname: 'Qaq', lastname: 'Jq', email: 'qvqw@one.org' });
    const found = async (keyword: string) => (await list({ keyword })).users.map(({ email }) => email);
    for (const keyword of ['🦉_', '_q', 'QQ', 'q 9', '9%', '% İ', 'zz', 'x@', '@t'])
      expect(await found(keyword), keyword).toEqual(['zzqx@two.org']);
    for (const keyword of ['aq', 'JQ', 'vq', 'Qw', '@o'])
      expect(await found(keyword), keyword).toEqual(['qvqw@one.org']);
    for (const keyword of ['🦉q', '9_', 'zx', '%%', '__', 'vw', 'aj'])
      expect(await found(keyword), keyword).toEqual([]);
  });

  test('are counted exactly: only members, and no longer once they leave', async () => {
    const before = (await list()).all_users;
    const leaver = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    await makeUser(testApp.db, { network: 'southlab' });
    expect((await list()).all_users).toBe(before + 1);
    expect((await list({ lastId: leaver.id })).all_users).toBe(before + 1);
    const body = { id: leaver.id, uid: leaver.uid, server_id: north.id, sso_server: 'northlab' };
    await call(removeUser, { body });
    expect((await list()).all_users).toBe(before);
  });

  describe('§2.8 sorted', () => {
    const sorted = async (sort?: 'email' | 'name' | 'last_login' | '-name' | '-last_login', keyword = 'sorted.org') => {
      const found: string[] = [];
      for (let lastId = 0; ; ) {
        const params = { serverId: north.id, serverName: 'northlab', lastId, keyword };
        const page = await call(listUsers, { params, query: { sort } });
        const last = page.users.at(-1);
        if (!last) return found;
        found.push(...page.users.map(({ firstname }) => firstname));
        lastId = last.id;
      }
    };
    beforeAll(async () => {
      const people = [
        ['Ada', 'z', '2026-03-01T10:00:00Z'],
        ['Bo', 'bo', null],
        ['Cy', 'cy', '2026-05-01T10:00:00Z'],
        ['Di', 'di', '2026-04-01T10:00:00Z'],
        ['Ed', 'ed', null],
        ['Flo', 'flo', '2026-02-01T10:00:00Z'],
      ] as const;
      for (const [firstname, address, at] of people) {
        const { id } = await makeUser(testApp.db, { email: `${address}@sorted.org`, alsoIn: ['southlab'], firstname });
        const signedIn = (network: { id: number }, last_login_at: Date | null) =>
          testApp.db
            .update(memberships)
            .set({ last_login_at })
            .where(and(eq(memberships.user_id, id), eq(memberships.network_id, network.id)));
        await signedIn(north, at && new Date(at));
        await signedIn(south, new Date());
      }
    });

    test.each([
      [undefined, ['Ada', 'Bo', 'Cy', 'Di', 'Ed', 'Flo']],
      ['-name', ['Flo', 'Ed', 'Di', 'Cy', 'Bo', 'Ada']],
      ['email', ['Bo', 'Cy', 'Di', 'Ed', 'Flo', 'Ada']],
      ['last_login', ['Bo', 'Ed', 'Flo', 'Ada', 'Di', 'Cy']],
      ['-last_login', ['Cy', 'Di', 'Ada', 'Flo', 'Ed', 'Bo']],
    ] as const)('by %s, in pages; sign-ins in other networks do not count', async (sort, expected) => {
      expect(await sorted(sort)).toEqual(expected);
    });

    test('by the last sign-in without a search', async () => {
      const params = { serverId: north.id, serverName: 'northlab', lastId: 0 };
      const { users: first } = await call(listUsers, { params, query: { sort: '-last_login' } });
      const times = first.map(({ last_login }) => last_login ?? '');
      expect(times).toEqual(times.toSorted().toReversed());
      expect(times).toContain('2026-05-01T10:00:00.000Z');
    });
  });

  test('§2.8 have their groups, and their second factors if no other network relies on the account', async () => {
    const own = await makeUser(testApp.db, { email: 'own@facts.org', email_mfa: true });
    const shared = await makeUser(testApp.db, { email: 'shared@facts.org', alsoIn: ['southlab'], email_mfa: true });
    for (const name of ['D', 'B', 'C', 'A']) {
      const { id } = await makeGroup(testApp.db, { name: `Facts ${name}` });
      await testApp.db.insert(groupUsers).values({ group_id: id, user_id: own.id });
    }
    const elsewhere = await makeGroup(testApp.db, { network: 'southlab', name: 'Facts of others' });
    await testApp.db.insert(groupUsers).values({ group_id: elsewhere.id, user_id: shared.id });
    const { users: found } = await list({ keyword: 'facts.org' });
    expect(found.map(({ id, factors, group_names, group_count }) => [id, factors, group_names, group_count])).toEqual([
      [own.id, ['email'], ['Facts A', 'Facts B', 'Facts C'], 4],
      [shared.id, null, [], 0],
    ]);
  });

  test('a foreign cursor is answered with 410', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    await expect(list({ lastId: stranger.id })).rejects.toMatchObject({ status: 410 });
  });
});

describe('§7.5 a new user', () => {
  test('is not confirmed, is in its groups and gets an invitation whose link works', async () => {
    const group = await makeGroup(testApp.db);
    const before = await queuedMails();
    const made = await call(createUser, { body: draft('New.User@Northlab.org', { groups: [{ id: group.id }] }) });
    expect(made).toMatchObject({
      email: 'new.user@northlab.org',
      fullname: 'Bea Ito',
      status: 'NonConfirmed',
      user_mode: 'Active',
      global_user: 'local',
      sso_server_id: north.id,
      signup_server: 'northlab',
      groups: [{ id: group.id }],
      invited: true,
    });
    expect(await queuedMails()).toBe(before + 1);
    expect(await lastAudit()).toMatchObject({ action: 'create', description: 'create user new.user@northlab.org' });
    await expect(call(createUser, { body: draft('new.user@northlab.org') })).rejects.toMatchObject({
      status: 409,
      code: 'user_exists',
    });
  });

  test('who has an account elsewhere is invited like anybody else; the account stays unchanged', async () => {
    const known = await makeUser(testApp.db, { network: 'southlab', firstname: 'Carla' });
    const before = await queuedMails();
    const made = await call(createUser, { body: draft(known.email) });
    expect(made).toMatchObject({ firstname: 'Bea', status: 'NonConfirmed', signup_server: 'northlab', invited: true });
    expect(await queuedMails()).toBe(before + 1);
    expect(await stored(known.id)).toEqual(known);
  });

  test('is refused once a person has had ten invitations in a day', async () => {
    const known = await makeUser(testApp.db, { network: 'southlab' });
    for (const email of [known.email, 'bombed@northlab.org']) {
      const { id } = await call(createUser, { body: draft(email) });
      const again = () => call(resendInvitation, { body: { user_id: id, server_id: north.id } });
      for (let round = 0; round < 9; round += 1) await again();
      await expect(again()).rejects.toMatchObject({ status: 429, code: 'mail_limit' });
    }
  });

  test('created twice at the same moment is one, 200 times', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 200; round += 1) {
      const email = `twice-${round}@northlab.org`;
      const attempt = () => call(createUser, { body: draft(email) });
      const outcomes = await Promise.allSettled([attempt(), attempt()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const user = await byEmail(email);
      expect(await testApp.db.$count(memberships, eq(memberships.user_id, user?.id ?? 0))).toBe(1);
    }
  });

  test.each([
    [{ email: 'nobody' }, 400],
    [{ firstname: ' ' }, 400],
    [{ lastname: '' }, 400],
    [{ lastname: 'a\nb' }, 400],
    [{ firstname: 'secure it at https://evil.example/now' }, 400],
    [{ lastname: 'WWW.evil.example' }, 400],
    [{ lastname: 'evil.example/now' }, 400],
    [{ signup_from: 'https://evil.example' }, 400],
    [{ signup_server: 'southlab' }, 404],
    [{ groups: [{ id: 999_999 }] }, 404],
    [{ status: 'Confirmed' }, 400],
  ])('is refused with %j', async (change, status) => {
    const before = await queuedMails();
    await expect(call(createUser, { body: draft('refused@northlab.org', change) })).rejects.toMatchObject({ status });
    expect(await byEmail('refused@northlab.org')).toBeUndefined();
    expect(await queuedMails()).toBe(before);
  });

  test('is refused a foreign group', async () => {
    const group = await makeGroup(testApp.db, { network: 'southlab' });
    await expect(
      call(createUser, { body: draft('refused@northlab.org', { groups: [{ id: group.id }] }) }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('can be sent the invitation again, until they have a password', async () => {
    let id = 0;
    const tokens = () => testApp.db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, id));
    await mailsQueuedBy(testApp, async () => {
      ({ id } = await call(createUser, { body: draft('again@northlab.org') }));
    });
    expect(await tokens()).toBe(1);
    await mailsQueuedBy(testApp, () => call(resendInvitation, { body: { user_id: id, server_id: north.id } }));
    expect(await tokens()).toBe(1);
    const before = await queuedMails();
    await call(resendInvitation, { body: { user_id: id, server_id: north.id } });
    expect(await queuedMails()).toBe(before + 1);
    const confirmed = await makeUser(testApp.db);
    await expect(
      call(resendInvitation, { body: { user_id: confirmed.id, server_id: north.id } }),
    ).rejects.toMatchObject({ code: 'user_confirmed' });
  });
});

describe('§7.5 user details', () => {
  test('names are changed; other fields must be sent unchanged', async () => {
    const user = await makeUser(testApp.db);
    const shown = await call(getUser, { params: { user_id: user.id } });
    expect(shown.photoURL).toBe('');
    const { id, uid, status, user_mode, global_user, sso_server_id, groups } = shown;
    const body = { id, uid, status, user_mode, global_user, sso_server_id, groups, firstname: 'Dana', lastname: 'Roy' };
    expect(await call(updateUser, { body: { ...body, fullname: 'Dana Roy' } })).toMatchObject({ fullname: 'Dana Roy' });
    const strange = await makeGroup(testApp.db, { network: 'southlab' });
    for (const change of [
      { status: 'NonConfirmed' },
      { user_mode: 'Disable' },
      { uid: 'another' },
      { global_user: 'global' },
      { sso_server_id: south.id },
      { groups: [{ id: strange.id }] },
      { email: 'other@northlab.org' },
      { password: 'x' },
      { firstname: '' },
      { lastname: ' ' },
    ])
      await expect(
        call(updateUser, { body: { ...body, ...change } as never }),
        JSON.stringify(change),
      ).rejects.toThrow();
    expect(await stored(id)).toMatchObject({ firstname: 'Dana', status: 'Confirmed', user_mode: 'Active' });
  });

  test("'never disable' is stored, by the home network only", async () => {
    const user = await makeUser(testApp.db);
    expect(await call(setNeverDisable, { body: { user_id: user.id, bypass_inactivity: 'Yes' } })).toEqual({
      message: "User's settings sucessfully updated.",
    });
    expect((await call(getUser, { params: { user_id: user.id } })).bypass_inactivity).toBe('Yes');
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    await expect(
      call(setNeverDisable, { body: { user_id: guest.id, bypass_inactivity: 'Yes' } }),
    ).rejects.toMatchObject({ code: 'user_elsewhere' });
  });

  test('of a person in no network of the caller do not exist', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    await expect(call(getUser, { params: { user_id: stranger.id } })).rejects.toMatchObject({ status: 404 });
  });
});

describe('§4 user account', () => {
  test('disabling ends the sessions at once, everywhere; once active again, they may sign in', async () => {
    const user = await makeUser(testApp.db);
    const theirs = await as(user);
    expect((await theirs(getSession, {})).user).not.toBe('no session');
    await call(setUserMode, { params: { userId: user.id, mode: 'Disable' } });
    expect((await theirs(getSession, {})).user).toBe('no session');
    expect(await stored(user.id)).toMatchObject({ user_mode: 'Disable' });
    expect(await lastAudit()).toMatchObject({ old_data: { user_mode: 'Active' }, new_data: { user_mode: 'Disable' } });
    await call(setUserMode, { params: { userId: user.id, mode: 'Active' } });
    expect((await theirs(getSession, {})).user).toBe('no session');
    expect(await stored(user.id)).toMatchObject({ user_mode: 'Active' });
  });

  test('mode and status are changed in bulk', async () => {
    const user = await makeUser(testApp.db);
    for (const [mode, wanted] of [
      ['NonConfirmed', { status: 'NonConfirmed' }],
      ['Confirmed', { status: 'Confirmed' }],
      ['Disable', { user_mode: 'Disable' }],
      ['Active', { user_mode: 'Active' }],
    ] as const) {
      await call(changeUser, { params: { userId: user.id, mode, serverName: 'northlab' } });
      expect(await stored(user.id)).toMatchObject({ ...wanted, password_hash: user.password_hash });
    }
  });

  test('one that was created in another network stays unchanged', async () => {
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const params = { userId: guest.id, mode: 'Disable' as const };
    await expect(call(setUserMode, { params })).rejects.toMatchObject({ status: 403, code: 'user_elsewhere' });
    await expect(call(changeUser, { params: { ...params, serverName: 'northlab' } })).rejects.toMatchObject({
      code: 'user_elsewhere',
    });
    expect(await stored(guest.id)).toEqual(guest);
  });

  test('nobody can lock themselves out', async () => {
    const params = { userId: owner.id, mode: 'Disable' as const };
    await expect(call(setUserMode, { params })).rejects.toMatchObject({ status: 409, code: 'user_self' });
    await expect(
      call(removeUser, {
        body: { id: owner.id, server_id: north.id, uid: owner.uid, sso_server: 'northlab' },
      }),
    ).rejects.toMatchObject({ code: 'user_self' });
  });

  test('the last owner of any network is neither disabled nor removed', async () => {
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const last = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'], alsoIn: ['opensocial'] });
    await testApp.db.delete(owners).where(and(sql`${owners.email} <> ${last.email}`, eq(owners.network_id, south.id)));
    await expect(main(setUserMode, { params: { userId: last.id, mode: 'Disable' } })).rejects.toMatchObject({
      status: 409,
      code: 'last_owner',
    });
    await expect(
      main(changeUser, { params: { userId: last.id, mode: 'NonConfirmed', serverName: 'opensocial' } }),
    ).rejects.toMatchObject({ code: 'last_owner' });
  });

  test('two owners who disable each other at the same moment: one stays, 40 times', { timeout: 300_000 }, async () => {
    await testApp.db.delete(owners).where(eq(owners.network_id, south.id));
    for (let round = 0; round < 40; round += 1) {
      const [one, other] = [
        await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }),
        await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }),
      ];
      const [asOne, asOther] = [await as(one), await as(other)];
      const outcomes = await Promise.allSettled([
        asOne(setUserMode, { params: { userId: other.id, mode: 'Disable' } }),
        asOther(setUserMode, { params: { userId: one.id, mode: 'Disable' } }),
      ]);
      const active = [await stored(one.id), await stored(other.id)].filter((user) => user?.user_mode === 'Active');
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(active).toHaveLength(1);
      await testApp.db.delete(owners).where(eq(owners.network_id, south.id));
    }
  });
});

describe('§7.5 deleting a user', () => {
  const remove = (user: User, changes = {}) =>
    call(removeUser, {
      body: { id: user.id, server_id: north.id, uid: user.uid, sso_server: 'northlab', ...changes },
    });

  test('ends the membership, with groups, visits and open sessions; the account stays in its other network', async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'], owns: ['northlab'] });
    const group = await makeGroup(testApp.db, { users: [user.id] });
    const site = await makeSite(testApp.db);
    await testApp.db.insert(siteVisits).values({ user_id: user.id, site_id: site.id });
    const theirs = await as(user);
    expect(await theirs(getRole, { params: { server: 'northlab' } })).toBe('admin');
    await remove(user);
    expect((await theirs(getSession, {})).user).toMatchObject({ selected_server: 'southlab' });
    expect(await theirs(getRole, { params: { server: 'northlab' } })).toBe('user');
    expect(await stored(user.id)).toMatchObject({ home_network_id: south.id, default_network_id: south.id });
    expect(await testApp.db.$count(groupUsers, eq(groupUsers.group_id, group.id))).toBe(0);
    expect(await testApp.db.$count(siteVisits, eq(siteVisits.user_id, user.id))).toBe(0);
    expect(await testApp.db.$count(owners, eq(owners.email, user.email))).toBe(0);
    const again = await as(user);
    expect((await again(getSession, {})).user).toMatchObject({ default_server: 'southlab' });
  });

  test('who came from another network does not change their account there', async () => {
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    await remove(guest);
    expect(await stored(guest.id)).toMatchObject({ home_network_id: south.id, default_network_id: south.id });
    expect(await lastAudit()).toMatchObject({ action: 'delete', old_data: { fullname: 'Ana Moreno' } });
  });

  test('without another network deletes the account', async () => {
    const user = await makeUser(testApp.db);
    await remove(user);
    expect(await stored(user.id)).toBeUndefined();
    expect(await lastAudit()).toMatchObject({ action: 'delete', old_data: { fullname: 'Ana Moreno' } });
  });

  test('needs id, uid and network to agree', async () => {
    const user = await makeUser(testApp.db);
    for (const change of [{ uid: owner.uid }, { server_id: south.id }, { sso_server: 'southlab' }])
      await expect(remove(user, change)).rejects.toMatchObject({ status: 404 });
    expect(await stored(user.id)).toEqual(user);
  });
});

describe('§7.5 groups, sites and log of a user', () => {
  test('groups are listed, assigned and removed by the id of the membership', async () => {
    const user = await makeUser(testApp.db);
    const one = await makeGroup(testApp.db, { name: 'User group one', users: [user.id] });
    const two = await makeGroup(testApp.db, { name: 'User group two' });
    const params = { user_id: user.id, server_id: north.id };
    const held = await call(listUserGroups, { params });
    expect(held).toMatchObject([{ group_id: one.id, group_name: 'User group one' }]);
    const open = await call(listGroupsToAssignToUser, { params: { ...params, lastid: 0, keyword: 'user group' } });
    expect(open.groups.map(({ id }) => id)).toEqual([two.id]);
    await call(assignGroup, { body: { group_id: two.id, user_id: user.id } });
    expect(await call(listUserGroups, { params })).toHaveLength(2);
    await call(removeUserGroup, { params: { id: held[0]?.id ?? 0 } });
    expect(await call(listUserGroups, { params })).toMatchObject([{ group_id: two.id }]);
    const strange = await makeGroup(testApp.db, { network: 'southlab' });
    await expect(call(assignGroup, { body: { group_id: strange.id, user_id: user.id } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('sites are those that they may enter; in Visited mode those that they have visited', async () => {
    const user = await makeUser(testApp.db);
    const group = await makeGroup(testApp.db);
    const open = await makeSite(testApp.db, { domain: 'open.of-user.org' });
    await makeSite(testApp.db, { domain: 'shut.of-user.org', groups: [group.id] });
    const params = { user_id: user.id, server_id: north.id };
    const domains = async () =>
      (await call(listUserSites, { params }))
        .map(({ domain }) => domain)
        .filter((name) => name.endsWith('of-user.org'));
    expect(await domains()).toEqual(['open.of-user.org']);
    await testApp.db.update(networks).set({ mode: 'Visited' }).where(eq(networks.id, north.id));
    expect(await domains()).toEqual([]);
    await testApp.db.insert(siteVisits).values({ user_id: user.id, site_id: open.id });
    expect(await domains()).toEqual(['open.of-user.org']);
    await testApp.db.update(networks).set({ mode: 'AdminManaged' }).where(eq(networks.id, north.id));
  });

  test("the log is one's own, or that of a user of a network one owns, and only its lines", async () => {
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const line = (network_id: number) => ({
      network_id,
      user_id: user.id,
      email: user.email,
      site: 'lab.org',
      login_status: 'Success' as const,
      reason: 'password',
      ip_address: '10.0.0.1',
    });
    await testApp.db.insert(loginLog).values([line(north.id), line(south.id)]);
    const params = { email: user.email, lastid: 0 };
    const theirs = await as(user);
    expect(await theirs(listUserLog, { params })).toMatchObject({ all_logs: 2 });
    expect(await theirs(listUserLog, { params: { ...params, server: 'southlab' } })).toMatchObject({ all_logs: 1 });
    expect(await call(listUserLog, { params: { ...params, server: 'northlab' } })).toMatchObject({ all_logs: 1 });
    await expect(call(listUserLog, { params })).rejects.toMatchObject({ status: 403 });
    await expect(call(listUserLog, { params: { ...params, server: 'southlab' } })).rejects.toMatchObject({
      status: 404,
    });
    const other = await as(await makeUser(testApp.db));
    await expect(other(listUserLog, { params: { ...params, server: 'northlab' } })).rejects.toMatchObject({
      status: 403,
    });
  });
});

describe('§7.5 signup statistics', () => {
  test('count people who joined within the days, confirmed or not, in a network or in all', async () => {
    const day = new Date('2025-05-05T12:00:00Z');
    for (const status of ['Confirmed', 'Confirmed', 'NonConfirmed'] as const)
      await makeUser(testApp.db, { created_at: day, status });
    await makeUser(testApp.db, { created_at: day, network: 'southlab' });
    const params = { fromDate: '2025-05-05', toDate: '2025-05-05' };
    expect(await call(getSignupStatistics, { params: { ...params, serverName: 'northlab' }, query: {} })).toEqual({
      total: 3,
      confirmed: 2,
      non_confirmed: 1,
    });
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    expect((await main(getAllSignupStatistics, { params, query: {} })).total).toBe(4);
  });

  test("§2.8 count days in the viewer's time zone if it is given, otherwise in UTC", async () => {
    // In Auckland it is already the 7th, in Los Angeles still the 5th.
    await makeUser(testApp.db, { created_at: new Date('2025-06-06T13:30:00Z') });
    await makeUser(testApp.db, { created_at: new Date('2025-06-06T02:30:00Z') });
    const count = async (day: string, query = {}) => {
      const params = { serverName: 'northlab', fromDate: day, toDate: day };
      return (await call(getSignupStatistics, { params, query })).total;
    };
    expect([await count('2025-06-06'), await count('2025-06-07')]).toEqual([2, 0]);
    const auckland = { zone: 'Pacific/Auckland' };
    expect([await count('2025-06-06', auckland), await count('2025-06-07', auckland)]).toEqual([1, 1]);
    expect([await count('2025-06-06', { zone: 'UTC' }), await count('2025-06-07', { zone: 'Etc/GMT-12' })]).toEqual([
      2, 1,
    ]);
    const angeles = { zone: 'America/Los_Angeles' };
    expect([await count('2025-06-05', angeles), await count('2025-06-06', angeles)]).toEqual([1, 1]);
    // Offsets and abbreviations mean different things to different software.
    const unusable = ['+0100', '-05', 'BST', 'IST', 'AET'];
    for (const zone of ["'; drop table users; --", 'Nowhere/Else', '', ...unusable])
      await expect(count('2025-06-06', { zone })).rejects.toMatchObject({ status: 400 });
  });

  test('§2.8 work for any number of years, in chronological order', async () => {
    const ask = (fromDate: string, toDate: string) =>
      call(getSignupStatistics, { params: { serverName: 'northlab', fromDate, toDate }, query: {} });
    expect((await ask('0001-01-01', '9999-12-31')).total).toBeGreaterThan(3);
    expect((await ask('2024-01-01', '2026-12-31')).total).toBeGreaterThan(3);
    await expect(ask('2026-02-01', '2026-01-01')).rejects.toMatchObject({ status: 400, code: 'range_reversed' });
  });
});

describe('users from an import file', () => {
  const bringIn = (rows: object[], apply: boolean) =>
    call(importUsers, {
      params: { server_id: north.id, server_name: 'northlab' },
      body: { rows: rows.map((row) => ({ firstname: 'Im', lastname: 'Port', groups: [], ...row })) as never, apply },
    });

  test('are previewed per line, and nothing changes before they are applied', async () => {
    const group = await makeGroup(testApp.db, { name: 'Importers' });
    const known = await makeUser(testApp.db, { network: 'southlab' });
    const member = await makeUser(testApp.db);
    const rows = [
      { email: 'One@import.org', groups: ['importers '] },
      { email: known.email },
      { email: member.email },
      { email: member.email, groups: ['Importers'] },
      { email: 'no address' },
      { email: 'two@import.org', groups: ['Nowhere'] },
      { email: 'three@import.org', firstname: '' },
    ];
    const wanted = ['create', 'create', 'unchanged', 'update', 'refused', 'refused', 'refused'];
    const before = await queuedMails();
    const preview = await bringIn(rows, false);
    expect(preview.outcomes.map(({ outcome }) => outcome)).toEqual(wanted);
    expect(preview.outcomes.slice(4).map(({ detail }) => detail)).toEqual([
      'This is not an email address.',
      'There is no group Nowhere.',
      'First name and last name are required.',
    ]);
    expect(await queuedMails()).toBe(before);
    expect(await byEmail('one@import.org')).toBeUndefined();

    expect((await bringIn(rows, true)).outcomes.map(({ outcome }) => outcome)).toEqual(wanted);
    expect(await queuedMails()).toBe(before + 2);
    expect(await testApp.db.$count(groupUsers, eq(groupUsers.group_id, group.id))).toBe(2);
    const again = await bringIn(rows.slice(0, 4), true);
    expect(again.outcomes.every(({ outcome }) => outcome === 'unchanged')).toBe(true);
  });

  const outcomesOf = async (rows: object[]) => (await bringIn(rows, true)).outcomes.map(({ outcome }) => outcome);
  const membersLike = async (pattern: string) =>
    (
      await testApp.db.execute(
        sql`select 1 from users join memberships on user_id = users.id where email like ${pattern}`,
      )
    ).rowCount;

  test('are one person if two lines have one address', async () => {
    await makeGroup(testApp.db, { name: 'Early' });
    await makeGroup(testApp.db, { name: 'Late' });
    const { outcomes } = await bringIn(
      [
        { email: 'twice@import.org', groups: ['Early'] },
        { email: 'once@import.org' },
        { email: ' TWICE@import.org', groups: ['Late', 'Early'] },
        { email: 'twice@import.org', groups: ['Late'] },
      ],
      true,
    );
    expect(outcomes).toEqual([
      { outcome: 'create', detail: 'An invitation is sent by email.' },
      { outcome: 'create', detail: 'An invitation is sent by email.' },
      { outcome: 'update', detail: 'Joins Late.' },
      { outcome: 'unchanged', detail: 'Already a user of the network.' },
    ]);
    expect(await lastAudit()).toMatchObject({
      actor_id: owner.id,
      description: 'create user twice@import.org in groups',
      new_data: { groups: ['Late'] },
    });
  });

  test('a line that the database cannot store does not affect the others', async () => {
    const rows = [
      { email: 'hale-1@import.org' },
      { email: 'ill@import.org', groups: ['\0'] },
      { email: 'hale-2@import.org' },
    ];
    expect(await outcomesOf(rows)).toEqual(['create', 'refused', 'create']);
    expect(await membersLike('hale-%@import.org')).toBe(2);
  });

  test('are audited one by one, and each gets a link', async () => {
    const before = await queuedMails();
    const rows = Array.from({ length: 50 }, (_, line) => ({
      email: `many-${line}@import.org`,
      firstname: `No ${line}`,
    }));
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(new Set(await outcomesOf(rows))).toEqual(new Set(['create']));
      expect(await queuedMails()).toBe(before + 50);
    });
    expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(rows.map(({ email }) => email)));
    const { rows: kept } =
      await testApp.db.execute(sql`select count(distinct token_hash)::int as tokens, count(distinct users.id)::int as people,
      (select count(*)::int from audit_records where description like 'create user many-%@import.org') as records
      from one_time_tokens join users on users.id = user_id where email like 'many-%@import.org' and fullname like 'No % Port'`);
    expect(kept[0]).toEqual({ tokens: 50, people: 50, records: 50 });
  });

  test('from two files at once are added once each, and invited once', async () => {
    const rows = Array.from({ length: 100 }, (_, line) => ({ email: `racing-${line}@import.org` }));
    const before = await queuedMails();
    const told = await Promise.all([outcomesOf(rows), outcomesOf(rows.toReversed()), outcomesOf(rows)]);
    expect(told.flat().filter((outcome) => outcome === 'create')).toHaveLength(100);
    expect(await membersLike('racing-%@import.org')).toBe(100);
    expect(await queuedMails()).toBe(before + 100);
  });
});

describe('the export of users', () => {
  const download = async (rest: string, from = owner) => {
    const browser = await signInto(testApp.db, testApp.browser(), from);
    return browser.fetch(`/server/sso/users_export/${rest}`, {}, {});
  };

  test('has the filtered list, with formulas escaped', async () => {
    await makeUser(testApp.db, { email: 'formula@export.org', firstname: '=HYPERLINK("x")', lastname: 'A, B' });
    await makeUser(testApp.db, { email: 'off@export.org', user_mode: 'Disable' });
    const answer = await download(`${north.id}/user_mode/Active/export.org/northlab`);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain('users-northlab.csv');
    const text = await answer.text();
    expect(text).toContain('formula@export.org,"\'=HYPERLINK(""x"")","A, B",Confirmed,Active,');
    expect(text).not.toContain('off@export.org');
  });

  test('has every user, more than a page of the list', async () => {
    const text = await (await download(`${north.id}/northlab`)).text();
    const members = await testApp.db.$count(memberships, eq(memberships.network_id, north.id));
    expect(text.trimEnd().split('\r\n')).toHaveLength(members + 1);
  });

  test('is for the owners of that network', async () => {
    expect((await download(`${south.id}/southlab`)).status).toBe(404);
    expect((await download(`${north.id}/northlab`, await makeUser(testApp.db))).status).toBe(403);
  });
});
