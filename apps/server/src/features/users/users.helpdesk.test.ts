import { hash } from 'node:crypto';
import {
  acceptInvitation,
  type Caller,
  confirmSignup,
  copyUserInvitation,
  createNetwork,
  createOwner,
  createUser,
  getUserSecurity,
  listOwners,
  sendUserReset,
  setUserMode,
} from '@opensocial/contract';
import { and, desc, eq, inArray } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, memberships, oneTimeTokens, socialIdentities, throttles, users } from '../../database/schema.ts';
import { hashToken } from '../../secrets/tokens.ts';
import { makePasskey, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp } from '../../testing/app/test-app.ts';
import { addOwner, findNetworkByName } from '../networks/networks.service.ts';
import { confirmInvitation } from '../social/social.queries.ts';
import { issueTokens } from './users.service.ts';

type User = typeof users.$inferSelect;

/** An installation with the owners of two networks. */
const buildOffice = async (environment: Record<string, string>) => {
  const testApp = await buildTestApp(environment);
  const as = async (user: User, authenticatedAt = new Date()) =>
    testApp.as(await signInto(testApp.db, testApp.browser(), user, authenticatedAt));
  const boss = await makeUser(testApp.db, { owns: ['northlab'] });
  return {
    testApp,
    as,
    boss,
    north: await networkNamed(testApp.db, 'northlab'),
    owner: await as(boss),
    stale: await as(boss, new Date(Date.now() - 9 * 3_600_000)),
    southern: await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] })),
  };
};
type Office = Awaited<ReturnType<typeof buildOffice>>;

let posted: Office;
let unposted: Office;
beforeAll(async () => {
  posted = await buildOffice({ SMTP_URL: 'smtp://127.0.0.1:9' });
  unposted = await buildOffice({});
});

const about = ({ north }: Office, user: { id: number }) => ({ body: { user_id: user.id, server_id: north.id } });
const actionsOf = async ({ owner, north }: Office, user: { id: number }) =>
  (await owner(getUserSecurity, { params: { user_id: user.id, server_id: north.id } })).actions;
const lastAudit = async ({ testApp }: Office) =>
  (await testApp.db.select().from(auditRecords).orderBy(desc(auditRecords.id)).limit(1))[0];

const invite = ({ testApp }: Office, call: Caller, network: { id: number; name: string }, email: string) =>
  call(createUser, {
    body: {
      email,
      firstname: 'Ivo',
      lastname: 'Rossi',
      sso_server_id: network.id,
      signup_from: testApp.parts.config.publicUrl,
      signup_server: network.name,
      groups: [],
    },
  });

const makeOwner = ({ north }: Office, call: Caller, owner: string) =>
  call(createOwner, {
    params: { serverName: 'northlab' },
    body: { sso_server: 'northlab', sso_id: String(north.id), owner },
  });

const tokenIn = (text: string): string =>
  new URL(/https?:\S+token=\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? '';

const activate = ({ testApp }: Office, email: string, code: string, secret = password) =>
  testApp.as(testApp.browser())(confirmSignup, {
    body: { email, code, password: secret, signup_from: testApp.parts.config.publicUrl },
  });

describe('§2.8 a link for a new password', () => {
  test('is mailed to a member of any home network; the owner does not see it', async () => {
    const { testApp, owner } = posted;
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const [mail] = await mailsQueuedBy(testApp, async () => {
      expect(await owner(sendUserReset, about(posted, guest))).toEqual({
        message: 'The link for a new password was sent.',
      });
    });
    expect(mail).toMatchObject({ to: guest.email, subject: 'Set a new password' });
    expect(mail?.text).toContain('An administrator of northlab sent you this link');
    expect(await lastAudit(posted)).toMatchObject({
      description: `update user ${guest.email} password link`,
      new_data: null,
    });
    await activate(posted, guest.email, tokenIn(mail?.text ?? ''), 'a quite different battery staple');
  });

  test('is not sent to an invited, disabled or foreign person, nor without a mail server', async () => {
    const { testApp, owner, southern } = posted;
    const refused = { status: 409, code: 'user_not_ready' };
    const invited = await makeUser(testApp.db, { provisional: true, status: 'NonConfirmed' });
    const disabled = await makeUser(testApp.db, { user_mode: 'Disable' });
    for (const user of [invited, disabled])
      await expect(owner(sendUserReset, about(posted, user))).rejects.toMatchObject(refused);
    const person = await makeUser(testApp.db);
    await expect(southern(sendUserReset, about(posted, person))).rejects.toMatchObject({ status: 404 });
    const unreached = await makeUser(unposted.testApp.db);
    await expect(unposted.owner(sendUserReset, about(unposted, unreached))).rejects.toMatchObject({
      code: 'user_mail_missing',
    });
  });
});

describe('§2.8 a copied invitation', () => {
  test('is only offered while there is no mail server, and only for an invitation', async () => {
    const invited = { provisional: true, status: 'NonConfirmed' as const, password_hash: null };
    expect(await actionsOf(posted, await makeUser(posted.testApp.db, invited))).toMatchObject({
      invite: 'possible',
      copy_link: 'by_mail',
    });
    const { testApp, owner } = unposted;
    const person = await makeUser(testApp.db, invited);
    expect(await actionsOf(unposted, person)).toMatchObject({ invite: 'no_mail', copy_link: 'possible' });
    const unconfirmed = await makeUser(testApp.db, { status: 'NonConfirmed', password_hash: null });
    const member = await makeUser(testApp.db);
    for (const user of [unconfirmed, member]) {
      expect(await actionsOf(unposted, user)).toMatchObject({ copy_link: 'not_needed' });
      await expect(owner(copyUserInvitation, about(unposted, user))).rejects.toMatchObject({ code: 'user_confirmed' });
    }
    const posting = await makeUser(posted.testApp.db, invited);
    await expect(posted.owner(copyUserInvitation, about(posted, posting))).rejects.toMatchObject({
      code: 'user_link_refused',
    });
    const disabled = await makeUser(testApp.db, { ...invited, user_mode: 'Disable' });
    await expect(owner(copyUserInvitation, about(unposted, disabled))).rejects.toMatchObject({
      code: 'user_not_ready',
    });
  });

  test('does not open an account that somebody has begun to use with another login', async () => {
    const { testApp, owner, north } = unposted;
    const invited = await invite(unposted, owner, { id: north.id, name: 'northlab' }, 'una@northlab.org');
    const { link } = await owner(copyUserInvitation, about(unposted, invited));
    await testApp.db.update(users).set({ status: 'Confirmed' }).where(eq(users.id, invited.id));
    const site = { kind: 'site', network_id: north.id } as const;
    expect(await confirmInvitation(testApp.db, site, invited.email)).toBe(invited.id);
    expect(await testApp.db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, invited.id))).toBe(0);
    // Even a link that was left over.
    const token = hashToken(tokenIn(link));
    await testApp.db.update(users).set({ status: 'NonConfirmed' }).where(eq(users.id, invited.id));
    await testApp.db.insert(oneTimeTokens).values({
      user_id: invited.id,
      network_id: north.id,
      purpose: 'activation',
      token_hash: token,
      expires_at: new Date(Date.now() + 3_600_000),
      is_copied: true,
    });
    await expect(activate(unposted, invited.email, tokenIn(link))).rejects.toMatchObject({ status: 400 });
  });

  test('activates the account once; it replaces earlier links, needs a fresh sign-in, and is audited', async () => {
    const { testApp, owner, stale, southern, north } = unposted;
    const invited = await invite(unposted, owner, { id: north.id, name: 'northlab' }, 'ivo@northlab.org');
    await expect(stale(copyUserInvitation, about(unposted, invited))).rejects.toMatchObject({
      code: 'reauth_required',
    });
    await expect(southern(copyUserInvitation, about(unposted, invited))).rejects.toMatchObject({ status: 404 });
    const first = await owner(copyUserInvitation, about(unposted, invited));
    const { link } = await owner(copyUserInvitation, about(unposted, invited));
    const audit = await lastAudit(unposted);
    expect(audit).toMatchObject({ action: 'view', description: 'view invitation of ivo@northlab.org' });
    expect(JSON.stringify(audit)).not.toContain(tokenIn(link));
    await expect(activate(unposted, invited.email, tokenIn(first.link))).rejects.toMatchObject({
      code: 'email_unknown',
    });
    await activate(unposted, invited.email, tokenIn(link));
    await expect(activate(unposted, invited.email, tokenIn(link))).rejects.toMatchObject({ code: 'token_used' });
    const security = await owner(getUserSecurity, { params: { user_id: invited.id, server_id: north.id } });
    expect(security).toMatchObject({ address_unproven: true, actions: { copy_link: 'not_needed' } });
    expect(await testApp.db.$count(memberships, eq(memberships.user_id, invited.id))).toBe(1);
  });

  test('is answered when somebody is made an owner, and audited', async () => {
    const { testApp, owner, north } = unposted;
    const answer = await makeOwner(unposted, owner, 'una.owner@northlab.org');
    expect(answer).toMatchObject({ msg: 'Admin email sucessfully added' });
    const views = await testApp.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, 'view invitation of una.owner@northlab.org'));
    expect(views).toMatchObject([{ network_id: north.id, actor: unposted.boss.email, action: 'view' }]);
    expect(JSON.stringify(views)).not.toContain(tokenIn(answer.invitation?.link ?? ''));
    await activate(unposted, 'una.owner@northlab.org', tokenIn(answer.invitation?.link ?? ''));
    const owners = await owner(listOwners, {
      params: { serverName: 'northlab', serverId: north.id, lastId: 0, keyword: 'una.owner' },
    });
    expect(owners.owners).toMatchObject([{ effective: true }]);
    const [account] = await testApp.db.select().from(users).where(eq(users.email, 'una.owner@northlab.org'));
    expect(account).toMatchObject({ address_unproven: true });
  });

  test('is not answered for a member, for a disabled invitation, or with a mail server', async () => {
    const { testApp, owner } = unposted;
    const member = await makeUser(testApp.db);
    const unconfirmed = await makeUser(testApp.db, { status: 'NonConfirmed', password_hash: null });
    const invited = { provisional: true, status: 'NonConfirmed' as const, password_hash: null };
    const disabled = await makeUser(testApp.db, { ...invited, user_mode: 'Disable' });
    for (const { email } of [member, unconfirmed, disabled])
      expect((await makeOwner(unposted, owner, email)).invitation).toBeUndefined();
    const ofThem = inArray(oneTimeTokens.user_id, [member.id, unconfirmed.id, disabled.id]);
    expect(await testApp.db.$count(oneTimeTokens, and(ofThem, eq(oneTimeTokens.is_copied, true)))).toBe(0);
    expect((await makeOwner(posted, posted.owner, 'una@northlab.org')).invitation).toBeUndefined();
  });

  test('that an owner gets for an address with an account elsewhere changes neither the account nor its invitations', async () => {
    const { testApp, owner } = unposted;
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    const invited = { network: 'southlab', provisional: true, status: 'NonConfirmed' as const, password_hash: null };
    const awaited = await makeUser(testApp.db, invited);
    await testApp.db.insert(oneTimeTokens).values({
      user_id: awaited.id,
      network_id: awaited.home_network_id,
      purpose: 'activation',
      token_hash: Buffer.from(awaited.email),
      expires_at: new Date(Date.now() + 3_600_000),
    });
    for (const { email } of [stranger, awaited]) {
      const { invitation } = await makeOwner(unposted, owner, email);
      if (invitation) await activate(unposted, email, tokenIn(invitation.link)).catch(() => undefined);
    }
    expect(await testApp.db.select().from(users).where(eq(users.id, stranger.id))).toEqual([stranger]);
    expect(await testApp.db.$count(memberships, eq(memberships.user_id, stranger.id))).toBe(1);
    expect(await testApp.db.select().from(users).where(eq(users.id, awaited.id))).toMatchObject([
      { provisional: true, password_hash: null, status: 'NonConfirmed' },
    ]);
    expect(await testApp.db.$count(oneTimeTokens, eq(oneTimeTokens.user_id, awaited.id))).toBe(1);
  });

  test('is answered when a network is created', async () => {
    const { testApp, as } = unposted;
    const main = await as(await makeUser(testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const made = await main(createNetwork, { body: { name: 'eastlab', owner: 'head@eastlab.org' } });
    await activate(unposted, 'head@eastlab.org', tokenIn(made.invitation?.link ?? ''));
    const own = await main(createNetwork, { body: { name: 'ownlab', owner: 'head@eastlab.org' } });
    await expect(activate(unposted, 'head@eastlab.org', tokenIn(own.invitation?.link ?? ''))).rejects.toMatchObject({
      code: 'token_used',
    });
    const mailing = await posted.as(await makeUser(posted.testApp.db, { network: 'opensocial', owns: ['opensocial'] }));
    const mailed = await mailing(createNetwork, { body: { name: 'eastlab', owner: 'head@eastlab.org' } });
    expect(mailed.invitation).toBeUndefined();
  });

  test('THREATS: of an address with an account elsewhere gives no power over that account', async () => {
    const { testApp, owner, north } = unposted;
    const southerner = await makeUser(testApp.db, { network: 'southlab' });
    const invited = await invite(unposted, owner, { id: north.id, name: 'northlab' }, southerner.email);
    const { link } = await owner(copyUserInvitation, about(unposted, invited));
    const secret = 'a password of the owner of northlab';
    await expect(activate(unposted, southerner.email, tokenIn(link), secret)).rejects.toMatchObject({
      code: 'token_used',
    });
    const [unchanged] = await testApp.db.select().from(users).where(eq(users.id, southerner.id));
    expect(unchanged).toEqual(southerner);
  });

  test('THREATS: an account under an address of somebody else joins no other network, until that person has taken it over by mail', async () => {
    const { testApp, owner, southern, north } = unposted;
    const email = 'head@southlab.org';
    const invited = await invite(unposted, owner, { id: north.id, name: 'northlab' }, email);
    const { link } = await owner(copyUserInvitation, about(unposted, invited));
    await activate(unposted, email, tokenIn(link), 'a password of the owner of northlab');
    const [squatted] = await testApp.db.select().from(users).where(eq(users.email, email));
    if (!squatted) throw new Error('There is no account.');
    await makePasskey(testApp.db, squatted);
    await testApp.db.insert(socialIdentities).values({ user_id: squatted.id, provider: 'google', subject: 'attacker' });

    const south = await networkNamed(testApp.db, 'southlab');
    await invite(unposted, southern, south, email);
    const attacker = await unposted.as(squatted);
    const joining = { params: { server: 'southlab' } };
    await expect(attacker(acceptInvitation, joining)).rejects.toMatchObject({ code: 'address_unproven' });
    // On the command line no consent is needed, but the account does not become an owner at once.
    const found = await findNetworkByName(testApp.db, 'southlab');
    if (!found) throw new Error('There is no network southlab.');
    await testApp.db.transaction((tx) => addOwner(tx, testApp.parts, found.network, email, { withMail: false }));
    expect(await testApp.db.$count(memberships, eq(memberships.user_id, squatted.id))).toBe(1);

    const request = { userId: squatted.id, networkId: north.id, purpose: 'reset' as const, hours: 1 };
    const [mailed] = await issueTokens(testApp.db, [request]);
    await activate(unposted, email, mailed?.token ?? '', 'a password of the person who gets the email');
    const [proven] = await testApp.db.select().from(users).where(eq(users.id, squatted.id));
    expect(proven).toMatchObject({ address_unproven: false, totp_secret: null });
    expect(await actionsOf(unposted, squatted)).toMatchObject({ reset_factors: 'not_needed' });
    expect(await lastAudit(unposted)).toMatchObject({ actor: email, description: 'update own address' });
    expect(await testApp.db.$count(socialIdentities, eq(socialIdentities.user_id, squatted.id))).toBe(0);
    await expect(attacker(acceptInvitation, joining)).rejects.toMatchObject({ status: 401 });
    if (!proven) throw new Error('There is no account.');
    await (await unposted.as(proven))(acceptInvitation, joining);
  });
});

describe('§2.8 disabling, enabling and unlocking', () => {
  test('tell the person, as far as the decision reaches', async () => {
    const { testApp, owner } = posted;
    const alone = await makeUser(testApp.db);
    const shared = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const subjects = async (user: User, mode: 'Active' | 'Disable') =>
      (await mailsQueuedBy(testApp, () => owner(setUserMode, { params: { userId: user.id, mode } }))).map(
        ({ to, subject }) => [to, subject],
      );
    expect(await subjects(alone, 'Disable')).toEqual([[alone.email, 'Your account was disabled']]);
    expect(await subjects(alone, 'Disable')).toEqual([]);
    expect(await subjects(alone, 'Active')).toEqual([[alone.email, 'Your account is active again']]);
    expect(await subjects(shared, 'Disable')).toEqual([[shared.email, 'Your access to northlab was disabled']]);
    expect(await subjects(shared, 'Active')).toEqual([[shared.email, 'Your access to northlab is active again']]);
    const invited = await makeUser(testApp.db, { provisional: true, status: 'NonConfirmed' });
    expect(await subjects(invited, 'Disable')).toEqual([]);
  });

  test('are not kept from working by the daily budget for mails', async () => {
    const { testApp, owner } = posted;
    const person = await makeUser(testApp.db);
    const mails = await mailsQueuedBy(testApp, async () => {
      for (const mode of Array.from({ length: 7 }, () => ['Disable', 'Active'] as const).flat())
        await owner(setUserMode, { params: { userId: person.id, mode } });
    });
    expect(mails).toHaveLength(10);
  });

  test('a locked account is shown to be locked only where nobody else relies on it, and its person is told', async () => {
    const { testApp, owner, north } = posted;
    const lock = (user: User) =>
      testApp.db.insert(throttles).values({
        key: `account:${hash('sha256', user.email)}`,
        failures: 50,
        blocked_until: new Date(Date.now() + 900_000),
      });
    const [alone, shared] = [await makeUser(testApp.db), await makeUser(testApp.db, { alsoIn: ['southlab'] })];
    for (const user of [alone, shared]) await lock(user);
    const read = (user: User) => owner(getUserSecurity, { params: { user_id: user.id, server_id: north.id } });
    expect(await read(shared)).toMatchObject({ locked_until: null, actions: { unlock: 'shared' } });
    expect(await read(alone)).toMatchObject({ locked_until: expect.any(String), actions: { unlock: 'possible' } });
    const unlocking = { params: { userId: alone.id, mode: 'Active' as const } };
    const mails = await mailsQueuedBy(testApp, () => owner(setUserMode, unlocking));
    expect(mails).toMatchObject([{ to: alone.email, subject: 'Your account was unlocked' }]);
    expect(await read(alone)).toMatchObject({ locked_until: null, actions: { unlock: 'not_needed' } });
  });

  test('are explained where they are not possible', async () => {
    const { testApp, boss } = posted;
    const guest = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'], email_mfa: true });
    expect(await actionsOf(posted, guest)).toEqual({
      invite: 'not_needed',
      copy_link: 'not_needed',
      send_reset: 'possible',
      unlock: 'shared',
      sign_out: 'not_needed',
      reset_factors: 'shared',
      disable: 'elsewhere',
      enable: 'not_needed',
    });
    expect(await actionsOf(posted, boss)).toMatchObject({ disable: 'self', sign_out: 'possible' });
  });
});
