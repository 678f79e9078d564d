import {
  acceptInvitation,
  changeUser,
  createOwner,
  createUser,
  declineInvitation,
  getRole,
  getSession,
  leaveNetwork,
  listOwnNetworks,
  listUsers,
  setUserMode,
} from '@opensocial/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groupUsers, memberships, owners, users } from '../../database/schema.ts';
import { makeGroup, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { testOrigin } from '../../testing/app/test-parts.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let south: { id: number };
let owner: User;
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  south = await networkNamed(testApp.db, 'southlab');
  owner = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] });
  call = await as(owner);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

/** A member of northlab who was invited by the owner of southlab. */
const invited = async (groups: { id: number }[] = []) => {
  const person = await makeUser(testApp.db, { firstname: 'Nia', lastname: 'Okoro' });
  const row = await call(createUser, {
    body: {
      email: person.email,
      firstname: 'Typed',
      lastname: 'Name',
      groups,
      signup_from: testOrigin,
      signup_server: 'southlab',
      sso_server_id: south.id,
    },
  });
  return { person, row, theirs: await as(person) };
};

const rowsOf = async (email: string) => {
  const params = { serverId: south.id, serverName: 'southlab', keyword: email, lastId: 0 };
  return (await call(listUsers, { params })).users;
};

describe('an invitation to a person with an account', () => {
  test('is mailed, and shown on their profile', async () => {
    const person = await makeUser(testApp.db);
    const [mail] = await mailsQueuedBy(testApp, () =>
      call(createUser, {
        body: {
          email: person.email,
          firstname: 'Typed',
          lastname: 'Name',
          groups: [],
          signup_from: testOrigin,
          signup_server: 'southlab',
          sso_server_id: south.id,
        },
      }),
    );
    expect(mail).toMatchObject({ to: person.email });
    expect(mail?.text).not.toContain('token=');
    const theirs = await as(person);
    expect(await theirs(listOwnNetworks, {})).toMatchObject({
      networks: [{ server: 'northlab', role: 'user', home: true }],
      invitations: [{ server: 'southlab', owner: false }],
    });
  });

  test('accepted, makes them a member with their own name and the groups of the invitation', async () => {
    const group = await makeGroup(testApp.db, { network: 'southlab' });
    const { person, row, theirs } = await invited([{ id: group.id }]);
    expect(await rowsOf(person.email)).toMatchObject([{ id: row.id, fullname: 'Typed Name', status: 'NonConfirmed' }]);
    expect(await theirs(acceptInvitation, { params: { server: 'southlab' } })).toEqual({
      message: 'You are now a member of southlab.',
    });
    expect(await rowsOf(person.email)).toMatchObject([
      { id: person.id, fullname: 'Nia Okoro', status: 'Confirmed', signup_server: 'northlab' },
    ]);
    expect(await testApp.db.$count(groupUsers, eq(groupUsers.user_id, person.id))).toBe(1);
    expect(await testApp.db.$count(users, eq(users.email, person.email))).toBe(1);
    expect((await theirs(listOwnNetworks, {})).invitations).toEqual([]);
    const [record] = await testApp.db
      .select()
      .from(auditRecords)
      .where(and(eq(auditRecords.actor_id, person.id), eq(auditRecords.network_id, south.id)));
    expect(record).toMatchObject({ new_data: { decision: 'accepted the invitation' } });
    await expect(theirs(acceptInvitation, { params: { server: 'southlab' } })).rejects.toMatchObject({ status: 404 });
  });

  test('as an owner, has no effect before it is accepted', async () => {
    const person = await makeUser(testApp.db);
    const theirs = await as(person);
    await call(createOwner, {
      params: { serverName: 'southlab' },
      body: { sso_server: 'southlab', sso_id: String(south.id), owner: person.email },
    });
    expect((await theirs(listOwnNetworks, {})).invitations).toMatchObject([{ server: 'southlab', owner: true }]);
    expect(await theirs(getRole, { params: { server: 'southlab' } })).toBe('user');
    await theirs(acceptInvitation, { params: { server: 'southlab' } });
    expect(await theirs(getRole, { params: { server: 'southlab' } })).toBe('admin');
  });

  test('declined, is deleted together with the ownership', async () => {
    const person = await makeUser(testApp.db);
    const theirs = await as(person);
    await call(createOwner, {
      params: { serverName: 'southlab' },
      body: { sso_server: 'southlab', sso_id: String(south.id), owner: person.email },
    });
    await theirs(declineInvitation, { params: { server: 'southlab' } });
    expect(await rowsOf(person.email)).toEqual([]);
    expect(await testApp.db.$count(owners, eq(owners.email, person.email))).toBe(0);
    expect((await theirs(getSession, {})).user).toMatchObject({ username: person.email });
  });

  test('belongs to their address alone', async () => {
    await invited();
    const other = await as(await makeUser(testApp.db));
    for (const answer of [acceptInvitation, declineInvitation, leaveNetwork])
      await expect(other(answer, { params: { server: 'southlab' } })).rejects.toMatchObject({ status: 404 });
  });

  test('that its owner has disabled cannot be accepted', async () => {
    const { row, theirs } = await invited();
    await call(setUserMode, { params: { userId: row.id, mode: 'Disable' } });
    expect((await theirs(listOwnNetworks, {})).invitations).toEqual([]);
    await expect(theirs(acceptInvitation, { params: { server: 'southlab' } })).rejects.toMatchObject({ status: 404 });
  });

  test('marked as confirmed by its owner still has to be accepted', async () => {
    const { row, theirs } = await invited();
    await call(changeUser, { params: { userId: row.id, mode: 'Confirmed', serverName: 'southlab' } });
    expect((await theirs(listOwnNetworks, {})).networks.map(({ server }) => server)).toEqual(['northlab']);
    expect((await theirs(listOwnNetworks, {})).invitations).toHaveLength(1);
  });

  test('accepted twice at the same moment is accepted once, 40 times', { timeout: 300_000 }, async () => {
    for (let round = 0; round < 40; round += 1) {
      const { person, theirs } = await invited();
      const attempt = () => theirs(acceptInvitation, { params: { server: 'southlab' } });
      const outcomes = await Promise.allSettled([attempt(), attempt()]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await testApp.db.$count(memberships, eq(memberships.user_id, person.id))).toBe(2);
    }
  });
});

describe('a member', () => {
  test('who was un-confirmed in one of their networks confirms it again on the profile', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const theirs = await as(person);
    await call(changeUser, { params: { userId: person.id, mode: 'NonConfirmed', serverName: 'southlab' } });
    expect((await theirs(listOwnNetworks, {})).invitations).toMatchObject([{ server: 'southlab' }]);
    await theirs(acceptInvitation, { params: { server: 'southlab' } });
    expect(await rowsOf(person.email)).toMatchObject([{ status: 'Confirmed' }]);
  });

  test('leaves a network; the session continues in another', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const theirs = await as(person);
    await theirs(leaveNetwork, { params: { server: 'southlab' } });
    expect((await theirs(getSession, {})).user).toMatchObject({
      selected_server: 'northlab',
      default_server: 'northlab',
    });
    expect(await rowsOf(person.email)).toEqual([]);
    await expect(theirs(leaveNetwork, { params: { server: 'northlab' } })).rejects.toMatchObject({
      status: 409,
      code: 'last_network',
    });
  });

  test('cannot leave as the last owner; the other owners are notified if one leaves', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'], alsoIn: ['northlab'] });
    const theirs = await as(person);
    const mails = await mailsQueuedBy(testApp, () => theirs(leaveNetwork, { params: { server: 'southlab' } }));
    expect(mails.map(({ to }) => to)).toContain(owner.email);
    const last = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'], alsoIn: ['northlab'] });
    await testApp.db
      .delete(owners)
      .where(and(eq(owners.network_id, (await networkNamed(testApp.db, 'opensocial')).id), eq(owners.email, 'x')));
    const lasting = await as(last);
    await expect(lasting(leaveNetwork, { params: { server: 'opensocial' } })).rejects.toMatchObject({
      code: 'last_owner',
    });
    // The profile does not offer what would be refused.
    expect((await lasting(listOwnNetworks, {})).networks).toMatchObject([
      { server: 'northlab', last_owner: false },
      { server: 'opensocial', last_owner: true },
    ]);
  });
});
