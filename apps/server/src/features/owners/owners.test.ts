import {
  createOwner,
  getAddress,
  getRole,
  listOwners,
  recordAuditClaim,
  removeOwner,
  removeUser,
  setNetworkMode,
} from '@opensocial/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditRecords, owners, users } from '../../database/schema.ts';
import { makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number; sso_id: string };
let owner: User;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  north = await networkNamed(testApp.db, 'northlab');
});
beforeEach(async () => {
  await testApp.db.delete(owners).where(eq(owners.network_id, north.id));
  owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = await as(owner);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));
const add = (email: string, changes = {}) =>
  call(createOwner, {
    params: { serverName: 'northlab' },
    body: { sso_server: 'northlab', sso_id: north.sso_id, owner: email, ...changes },
  });
const list = (changes = {}) =>
  call(listOwners, { params: { serverName: 'northlab', serverId: north.id, lastId: 0, ...changes } });
const idOf = async (email: string) => {
  const [found] = await testApp.db
    .select()
    .from(owners)
    .where(and(eq(owners.email, email), eq(owners.network_id, north.id)));
  return found?.id ?? 0;
};
const remove = (caller: ReturnType<TestApp['as']>, ownerId: number) =>
  caller(removeOwner, { params: { serverName: 'northlab', ownerId } });

const elevenMinutesAgo = () => new Date(Date.now() - 11 * 60_000);

describe('§7.6 owners', () => {
  test('are added only with a fresh sign-in', async () => {
    call = testApp.as(await signInto(testApp.db, testApp.browser(), owner, elevenMinutesAgo()));
    await expect(add('late@northlab.org')).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect(await idOf('late@northlab.org')).toBe(0);
  });

  test('are added by address, listed and searched; an address without an account is invited and owns once confirmed', async () => {
    expect(await add('New.Owner@northlab.org')).toMatchObject({ msg: 'Admin email sucessfully added' });
    expect(await list({ keyword: 'new.own' })).toMatchObject({
      all_owners: 1,
      owners: [{ owner: 'new.owner@northlab.org', effective: false }],
    });
    expect((await list()).all_owners).toBe(2);
    const [account] = await testApp.db.select().from(users).where(eq(users.email, 'new.owner@northlab.org'));
    expect(account).toMatchObject({ status: 'NonConfirmed' });
    await testApp.db
      .update(users)
      .set({ status: 'Confirmed', provisional: false })
      .where(eq(users.id, account?.id ?? 0));
    expect(await list({ keyword: 'new.own' })).toMatchObject({ owners: [{ effective: true }] });
  });

  test("§5 an address that is an owner already answers 'The email is already exists'", async () => {
    await expect(add(owner.email.toUpperCase())).rejects.toMatchObject({
      status: 409,
      message: 'The email is already exists',
    });
    await expect(add('nobody')).rejects.toMatchObject({ status: 400 });
  });

  test('path and body must name the same network', async () => {
    const south = await networkNamed(testApp.db, 'southlab');
    for (const changes of [{ sso_server: 'southlab' }, { sso_id: south.sso_id }, { sso_id: String(south.id) }])
      await expect(add('x@northlab.org', changes)).rejects.toMatchObject({ status: 404 });
    await expect(list({ serverId: south.id })).rejects.toMatchObject({ status: 404 });
    expect(await testApp.db.$count(owners, eq(owners.email, 'x@northlab.org'))).toBe(0);
  });

  test('a removed owner is a user at the next request', async () => {
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    const theirs = await as(other);
    expect(await theirs(getRole, { params: { server: 'northlab' } })).toBe('admin');
    await remove(call, await idOf(other.email));
    expect(await theirs(getRole, { params: { server: 'northlab' } })).toBe('user');
    await expect(theirs(setNetworkMode, { body: { server: 'northlab', mode: 'All' } })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('the last effective one cannot be removed; an unconfirmed one does not count', async () => {
    await add('waiting@northlab.org');
    await expect(remove(call, await idOf(owner.email))).rejects.toMatchObject({ status: 409, code: 'last_owner' });
    expect((await list()).owners.filter(({ last }) => last)).toMatchObject([{ owner: owner.email }]);
    await remove(call, await idOf('waiting@northlab.org'));
    expect((await list()).all_owners).toBe(1);
  });

  test('an owner of another network is not found', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
    const [strange] = await testApp.db.select().from(owners).where(eq(owners.email, stranger.email));
    await expect(remove(call, strange?.id ?? 0)).rejects.toMatchObject({ status: 404 });
  });

  test('two who remove each other at the same moment: one stays, 200 times', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 200; round += 1) {
      await testApp.db.delete(owners).where(eq(owners.network_id, north.id));
      const pair = [
        await makeUser(testApp.db, { owns: ['northlab'] }),
        await makeUser(testApp.db, { owns: ['northlab'] }),
      ] as const;
      const calls = [await as(pair[0]), await as(pair[1])] as const;
      const ids = [await idOf(pair[0].email), await idOf(pair[1].email)] as const;
      const outcomes = await Promise.allSettled([remove(calls[0], ids[1]), remove(calls[1], ids[0])]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await testApp.db.$count(owners, eq(owners.network_id, north.id))).toBe(1);
    }
  });
});

describe('the other owners are notified by mail', () => {
  let other: User;
  beforeEach(async () => {
    other = await makeUser(testApp.db, { owns: ['northlab'] });
    await makeUser(testApp.db, { owns: ['northlab'], status: 'NonConfirmed' });
    await makeUser(testApp.db, { owns: ['northlab'], user_mode: 'Disable' });
    await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
  });
  const recipients = (mails: { to: string }[]) => mails.map(({ to }) => to);

  test('of an added owner, with the person and the time, except the acting owner and owners not in effect yet', async () => {
    const mails = await mailsQueuedBy(testApp, () => add('added@northlab.org'));
    expect(recipients(mails).toSorted()).toEqual([other.email, 'added@northlab.org'].toSorted());
    const told = mails.find(({ to }) => to === other.email);
    expect(told?.subject).toBe('northlab has a new owner');
    for (const words of [told?.text, told?.html]) {
      expect(words).toContain('added@northlab.org was made an owner of northlab.');
      expect(words).toMatch(
        new RegExp(`done by ${owner.email} on \\w+,? \\d+ \\w+ ${new Date().getUTCFullYear()}.* UTC`),
      );
      expect(words).toContain('http://localhost:8080/sso-servers/northlab/admins');
    }
    expect(mails.find(({ to }) => to === 'added@northlab.org')?.subject).toBe('Your account on northlab');
  });

  test('a new owner who is in effect at once is notified too', async () => {
    const member = await makeUser(testApp.db);
    const mails = await mailsQueuedBy(testApp, () => add(member.email));
    expect(recipients(mails).toSorted()).toEqual([other.email, member.email].toSorted());
  });

  test('of a removed owner, including the removed person', async () => {
    const third = await makeUser(testApp.db, { owns: ['northlab'] });
    const mails = await mailsQueuedBy(testApp, async () => remove(call, await idOf(third.email)));
    expect(recipients(mails).toSorted()).toEqual([other.email, third.email].toSorted());
    expect(mails[0]).toMatchObject({ subject: 'An owner of northlab was removed' });
    expect(mails[0]?.text).toContain(`${third.email} is no longer an owner of northlab.`);
  });

  test('of an owner who was removed as a user of the network', async () => {
    const member = await makeUser(testApp.db);
    const drop = ({ id, uid }: User) =>
      call(removeUser, { body: { id, uid, server_id: north.id, sso_server: 'northlab' } });
    expect(await mailsQueuedBy(testApp, () => drop(member))).toEqual([]);
    const mails = await mailsQueuedBy(testApp, () => drop(other));
    expect(recipients(mails)).toEqual([other.email]);
  });

  test('not of changes that did not happen', async () => {
    const mails = await mailsQueuedBy(testApp, async () => {
      await expect(add(other.email)).rejects.toMatchObject({ code: 'owner_exists' });
      await expect(remove(call, 999_999)).rejects.toMatchObject({ status: 404 });
    });
    expect(mails).toEqual([]);
  });
});

describe('the same owner, added twice at the same moment', () => {
  test('is one, 200 times', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 200; round += 1) {
      const email = `twice-${round}@northlab.org`;
      const outcomes = await Promise.allSettled([add(email), add(email)]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await testApp.db.$count(owners, eq(owners.email, email))).toBe(1);
    }
  });
});

describe('§7.6 audit', () => {
  const last = async () => (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

  test("the console's description is stored as a claim beside the server's own record", async () => {
    const other = await makeUser(testApp.db, { owns: ['northlab'] });
    await remove(call, await idOf(other.email));
    expect(await last()).toMatchObject({ actor: owner.email, action: 'delete', old_data: { owner: other.email } });
    await call(recordAuditClaim, {
      body: {
        audit_type: 'OpenSocial',
        action: 'delete',
        description: 'a line\r\nand another',
        user: 'somebody.else@northlab.org',
        source: '8.8.8.8',
        old_data: { owner: other.email },
      },
    });
    expect(await last()).toMatchObject({
      actor: owner.email,
      ip_address: '127.0.0.1',
      claimed_user: 'somebody.else@northlab.org',
      claimed_source: '8.8.8.8',
    });
  });

  test('is accepted sixty times a minute', async () => {
    const body = { audit_type: 'OpenSocial', action: 'x', description: '', user: '', source: '' };
    for (let round = 0; round < 60; round += 1) await call(recordAuditClaim, { body });
    await expect(call(recordAuditClaim, { body })).rejects.toMatchObject({ status: 429 });
  });

  test('cannot be changed or deleted', async () => {
    await expect(testApp.db.execute(sql`update audit_records set actor = 'x'`)).rejects.toThrow();
    await expect(testApp.db.execute(sql`delete from audit_records`)).rejects.toThrow();
  });

  test('the IP address of a request is returned to its caller', async () => {
    expect(await call(getAddress, {})).toEqual({ ip: '127.0.0.1' });
  });
});
