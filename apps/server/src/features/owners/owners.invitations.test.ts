import {
  type Caller,
  confirmSignup,
  createNetwork,
  createOwner,
  createUser,
  inviteOwner,
  listInvitedOwners,
  setUserMode,
} from '@opensocial/contract';
import { and, desc, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, oneTimeTokens, owners, users } from '../../database/schema.ts';
import { makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

/** An installation whose main owner has created the network westlab for head@westlab.org. */
const buildOffice = async (environment: Record<string, string>) => {
  const testApp = await buildTestApp(environment);
  const as = async (user: User, authenticatedAt = new Date()) =>
    testApp.as(await signInto(testApp.db, testApp.browser(), user, authenticatedAt));
  const installer = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
  const main = await as(installer);
  const west = await main(createNetwork, { body: { name: 'westlab', owner: 'head@westlab.org' } });
  return { testApp, as, installer, main, west };
};
type Office = Awaited<ReturnType<typeof buildOffice>>;

let posted: Office;
let unposted: Office;
beforeAll(async () => {
  posted = await buildOffice({ SMTP_URL: 'smtp://127.0.0.1:9' });
  unposted = await buildOffice({});
});

const idOf = async ({ testApp, west }: Office, email: string): Promise<number> => {
  const isOwner = and(eq(owners.network_id, west.id), eq(owners.email, email));
  const [found] = await testApp.db.select().from(owners).where(isOwner);
  if (!found) throw new Error(`${email} is not an owner.`);
  return found.id;
};
/** Makes an address an owner of westlab, with what it is beside that. */
const makeOwner = async (office: Office, email: string): Promise<number> => {
  const owner = { network_id: office.west.id, email };
  await office.testApp.db.insert(owners).values(owner);
  return idOf(office, email);
};
const invitedTo = (network: string) =>
  ({ network, provisional: true, status: 'NonConfirmed', password_hash: null }) as const;

const invite = (call: Caller, ownerId: number, network = 'westlab') =>
  call(inviteOwner, { params: { serverName: network }, body: { owner_id: ownerId } });
const listOf = (call: Caller, { west }: Office) =>
  call(listInvitedOwners, { params: { serverName: 'westlab', serverId: west.id } });
const tokenIn = (link: string | undefined): string => new URL(link ?? '').searchParams.get('token') ?? '';
const activate = ({ testApp }: Office, email: string, code: string) =>
  testApp.as(testApp.browser())(confirmSignup, {
    body: { email, code, password, signup_from: testApp.parts.config.publicUrl },
  });
const copiedLinks = ({ testApp }: Office, user: { id: number }) =>
  testApp.db.$count(oneTimeTokens, and(eq(oneTimeTokens.user_id, user.id), eq(oneTimeTokens.is_copied, true)));

describe('§2.4 an owner who has not accepted the invitation', () => {
  test('gets a new link without a mail server: the lost one stops working, and the audit log names who made it', async () => {
    const { testApp, as, installer, main } = unposted;
    const made = await main(createNetwork, { body: { name: 'lostlab', owner: 'lost@lostlab.org' } });
    const listed = await main(listInvitedOwners, { params: { serverName: 'lostlab', serverId: made.id } });
    expect(listed).toMatchObject([{ owner: 'lost@lostlab.org', invite: 'link' }]);
    const again = await invite(main, listed[0]?.id ?? 0, 'lostlab');
    const [audit] = await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1);
    expect(audit).toMatchObject({
      network_id: made.id,
      actor: installer.email,
      action: 'view',
      description: 'view invitation of lost@lostlab.org',
    });
    expect(JSON.stringify(audit)).not.toContain(tokenIn(again.invitation?.link));
    await expect(activate(unposted, 'lost@lostlab.org', tokenIn(made.invitation?.link))).rejects.toMatchObject({
      code: 'email_unknown',
    });
    await activate(unposted, 'lost@lostlab.org', tokenIn(again.invitation?.link));
    const [head] = await testApp.db.select().from(users).where(eq(users.email, 'lost@lostlab.org'));
    if (!head) throw new Error('There is no account.');
    expect(head).toMatchObject({ provisional: false, address_unproven: true });
    expect(await main(listInvitedOwners, { params: { serverName: 'lostlab', serverId: made.id } })).toEqual([]);
    await expect(invite(main, listed[0]?.id ?? 0, 'lostlab')).rejects.toMatchObject({ code: 'owner_not_invited' });
    expect(await (await as(head))(createUser, newUserOf(made.id, 'lostlab'))).toBeDefined();
  });

  test('gets another mail where there is a mail server, and nobody sees its link', async () => {
    const { testApp, main } = posted;
    const ownerId = await idOf(posted, 'head@westlab.org');
    expect(await listOf(main, posted)).toEqual([{ id: ownerId, owner: 'head@westlab.org', invite: 'mail' }]);
    const mails = await mailsQueuedBy(testApp, async () => {
      expect(await invite(main, ownerId)).toEqual({ message: 'The invitation was sent.' });
    });
    expect(mails.map(({ to }) => to)).toContain('head@westlab.org');
  });

  test('is mailed at most ten times a day', async () => {
    const ownerId = await makeOwner(posted, 'often@westlab.org');
    await makeUser(posted.testApp.db, { ...invitedTo('westlab'), email: 'often@westlab.org' });
    for (let mails = 0; mails < 10; mails += 1) await invite(posted.main, ownerId);
    await expect(invite(posted.main, ownerId)).rejects.toMatchObject({ status: 429, code: 'mail_limit' });
  });
});

const newUserOf = (networkId: number, network: string) => ({
  body: {
    email: `first@${network}.org`,
    firstname: 'First',
    lastname: 'User',
    sso_server_id: networkId,
    signup_from: unposted.testApp.parts.config.publicUrl,
    signup_server: network,
    groups: [],
  },
});

describe('THREATS: an invitation of an owner cannot be used to take over an account', () => {
  test.for([
    ['an account of another network', {}],
    ['an account of another network that was not confirmed', { status: 'NonConfirmed', password_hash: null }],
    ['a disabled account of another network', { user_mode: 'Disable' }],
  ] as const)('of %s', async ([, draft]) => {
    const { testApp, main } = unposted;
    const victim = await makeUser(testApp.db, { network: 'southlab', ...draft });
    const ownerId = await makeOwner(unposted, victim.email);
    const invited = await makeUser(testApp.db, { ...invitedTo('westlab'), email: victim.email });
    expect((await listOf(main, unposted)).find(({ id }) => id === ownerId)).toMatchObject({ invite: 'account' });
    await expect(invite(main, ownerId)).rejects.toMatchObject({ status: 409, code: 'owner_has_account' });
    expect(await copiedLinks(unposted, invited)).toBe(0);
    expect(await testApp.db.select().from(users).where(eq(users.id, victim.id))).toEqual([victim]);
  });

  test('with a mail server, the answer does not tell whether the address has an account, and its mail has no link to a password', async () => {
    const { testApp, main } = posted;
    const victim = await makeUser(testApp.db, { network: 'southlab' });
    const ownerId = await makeOwner(posted, victim.email);
    const invited = await makeUser(testApp.db, { ...invitedTo('westlab'), email: victim.email });
    expect((await listOf(main, posted)).find(({ id }) => id === ownerId)).toMatchObject({ invite: 'mail' });
    expect(await invite(main, ownerId)).toEqual({ message: 'The invitation was sent.' });
    expect(await testApp.db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, invited.id))).toBe(0);
    expect(await testApp.db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, victim.id))).toBe(0);
  });

  test.for([
    ['an active account', {}],
    ['an account that has to be confirmed again', { status: 'NonConfirmed', password_hash: null }],
    ['a disabled account', { user_mode: 'Disable' }],
    ['a disabled invitation', { ...invitedTo('westlab'), user_mode: 'Disable' }],
    ['a person who is only invited by another network', invitedTo('southlab')],
  ] as const)('of %s', async ([, draft]) => {
    const { testApp, main } = unposted;
    const victim = await makeUser(testApp.db, { network: 'westlab', ...draft });
    const ownerId = await makeOwner(unposted, victim.email);
    expect((await listOf(main, unposted)).map(({ id }) => id)).not.toContain(ownerId);
    await expect(invite(main, ownerId)).rejects.toMatchObject({ status: 409, code: 'owner_not_invited' });
    expect(await copiedLinks(unposted, victim)).toBe(0);
    expect(await testApp.db.select().from(users).where(eq(users.id, victim.id))).toEqual([victim]);
  });

  test('by anybody but an owner of the main network with a fresh sign-in who is a member of the network', async () => {
    const { testApp, as, installer } = unposted;
    const ownerId = await makeOwner(unposted, 'target@westlab.org');
    const target = await makeUser(testApp.db, { ...invitedTo('westlab'), email: 'target@westlab.org' });
    const ofWest = await makeUser(testApp.db, { network: 'westlab' });
    const outsider = await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] });
    const refusals = [
      [await as(await makeUser(testApp.db, { network: 'westlab', owns: ['westlab'] })), 403, 'forbidden'],
      [await as(ofWest), 403, 'forbidden'],
      [await as(await makeUser(testApp.db, { owns: ['northlab'] })), 404, 'not_found'],
      [await as(outsider), 404, 'not_found'],
      [testApp.as(testApp.browser()), 401, 'auth_required'],
    ] as const;
    for (const [call, status, code] of refusals) {
      await expect(invite(call, ownerId)).rejects.toMatchObject({ status, code });
      await expect(listOf(call, unposted)).rejects.toMatchObject({ status, code });
    }
    const stale = await as(installer, new Date(Date.now() - 9 * 3_600_000));
    await expect(invite(stale, ownerId)).rejects.toMatchObject({ status: 401, code: 'reauth_required' });
    expect(await copiedLinks(unposted, target)).toBe(0);
  });

  test('by naming the owner of one network and another network', async () => {
    const { testApp, as, main } = unposted;
    const north = await networkNamed(testApp.db, 'northlab');
    const northern = await as(await makeUser(testApp.db, { owns: ['northlab'] }));
    await northern(createOwner, {
      params: { serverName: 'northlab' },
      body: { sso_server: 'northlab', sso_id: String(north.id), owner: 'second@northlab.org' },
    });
    const [foreign] = await testApp.db.select().from(owners).where(eq(owners.email, 'second@northlab.org'));
    for (const network of ['westlab', 'northlab'])
      await expect(invite(main, foreign?.id ?? 0, network)).rejects.toMatchObject({ status: 404 });
  });

  test('by a main owner who was removed as such in the meantime', async () => {
    const { testApp, as } = unposted;
    const former = await makeUser(testApp.db, { network: 'opensocial', alsoIn: ['westlab'], owns: ['opensocial'] });
    const call = await as(former);
    expect((await listOf(call, unposted)).length).toBeGreaterThan(0);
    await testApp.db.delete(owners).where(eq(owners.email, former.email));
    const ownerId = await idOf(unposted, 'head@westlab.org');
    await expect(invite(call, ownerId)).rejects.toMatchObject({ status: 403 });
  });

  test('once its owner has disabled the invitation', async () => {
    const { testApp, as, main } = unposted;
    const ownerId = await makeOwner(unposted, 'halted@westlab.org');
    const halted = await makeUser(testApp.db, { ...invitedTo('westlab'), email: 'halted@westlab.org' });
    const head = await as(await makeUser(testApp.db, { network: 'westlab', owns: ['westlab'] }));
    await head(setUserMode, { params: { userId: halted.id, mode: 'Disable' } });
    await expect(invite(main, ownerId)).rejects.toMatchObject({ code: 'owner_not_invited' });
  });
});
