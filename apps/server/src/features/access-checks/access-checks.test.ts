import { hash } from 'node:crypto';
import { createUser, explainAccess, viewDesktop } from '@opensocial/contract';
import { and, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  auditRecords,
  identitySessions,
  memberships,
  networks,
  socialIdentities,
  throttles,
  users,
} from '../../database/schema.ts';
import { newUid } from '../../secrets/tokens.ts';
import { newTotpSecret } from '../../secrets/totp.ts';
import { makeGroup, makePasskey, makeSite, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { setPolicy } from '../../testing/app/sign-in-pages.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let north: { id: number };
let call: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp({ OIDC_ISSUERS: 'Work=https://work.example|client|secret' });
  north = await networkNamed(testApp.db, 'northlab');
  call = testApp.as(await signInto(testApp.db, testApp.browser(), await makeUser(testApp.db, { owns: ['northlab'] })));
});
beforeEach(async () => {
  await testApp.db.delete(throttles);
  await setPolicy(testApp, { mfa: 'Disable', mfa_options: [] });
  await testApp.db.update(networks).set({ mode: 'AdminManaged' }).where(eq(networks.id, north.id));
});

const explain = (site: { id: number }, user: { id: number }) =>
  call(explainAccess, { params: { site_id: site.id, user_id: user.id } });
const stepOf = async (id: string, site: { id: number }, user: { id: number }) =>
  (await explain(site, user)).steps.find((step) => step.id === id);
const lockOut = ({ email }: User) =>
  testApp.db.insert(throttles).values({
    key: `account:${hash('sha256', email)}`,
    failures: 50,
    blocked_until: sql`now() + interval '10 minutes'`,
  });

describe('§2.16 the explanation of an access decision', () => {
  test('names the first refusal, all others, and where they can be changed', async () => {
    const groups = [
      await makeGroup(testApp.db, { name: 'Chemistry' }),
      await makeGroup(testApp.db, { name: 'Physics' }),
    ];
    const site = await makeSite(testApp.db, { site_mode: 'Closed', groups: groups.map(({ id }) => id) });
    const check = await explain(site, await makeUser(testApp.db));
    expect(check).toMatchObject({
      verdict: 'no',
      refused_at: 'site_mode',
      text: 'Ana Moreno cannot enter Reports. Reports is closed.',
    });
    const refused = check.steps.filter(({ outcome }) => outcome === 'no');
    expect(refused).toEqual([
      { id: 'site_mode', outcome: 'no', text: 'Reports is closed.', change_at: ['site'] },
      {
        id: 'groups',
        outcome: 'no',
        text: 'Ana Moreno is not in any of the groups of Reports: Chemistry, Physics.',
        change_at: ['site_groups', 'user_groups'],
      },
    ]);
    expect(check.tile).toMatchObject({ shown: false, change_at: ['desktop'] });
  });

  test('says that a person may enter, with every step in the order of a sign-in', async () => {
    const check = await explain(await makeSite(testApp.db), await makeUser(testApp.db));
    expect(check).toMatchObject({ verdict: 'yes', refused_at: null, text: 'Ana Moreno may enter Reports.' });
    expect(check.steps.map(({ id }) => id)).toEqual([
      'login',
      'lock',
      'confirmed',
      'active',
      'in_use',
      'factor',
      'password',
      'member',
      'unblocked',
      'site_status',
      'site_mode',
      'groups',
    ]);
    expect(check.tile.shown).toBe(true);
  });

  test('a lock does not concern a passkey', async () => {
    const [site, user] = [await makeSite(testApp.db), await makeUser(testApp.db)];
    await lockOut(user);
    expect(await explain(site, user)).toMatchObject({ verdict: 'no', refused_at: 'lock' });
    await makePasskey(testApp.db, user);
    expect(await explain(site, user)).toMatchObject({ verdict: 'yes' });
    expect(await stepOf('lock', site, user)).toMatchObject({
      outcome: 'note',
      text: expect.stringContaining('Signing in with a passkey still works.'),
    });
  });

  test('says who requires a second factor, and how the person can get one', async () => {
    const user = await makeUser(testApp.db);
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'] });
    expect(await stepOf('factor', await makeSite(testApp.db), user)).toEqual({
      id: 'factor',
      outcome: 'note',
      text: 'northlab requires a second factor. Ana Moreno has none, and sets up an authenticator app during the sign-in.',
      change_at: ['settings'],
    });
    const social = await makeSite(testApp.db, { email_login: false, custom_auth_options: ['work'] });
    expect(await explain(social, user)).toMatchObject({ verdict: 'no', refused_at: 'factor' });
  });

  test('an invitation that was not accepted is the first refusal', async () => {
    const site = await makeSite(testApp.db);
    const invited = await call(createUser, {
      body: {
        email: `${newUid()}@northlab.org`,
        firstname: 'Ben',
        lastname: 'Osei',
        sso_server_id: north.id,
        signup_server: 'northlab',
        signup_from: 'http://localhost:8080',
        groups: [],
      },
    });
    expect(await explain(site, invited)).toMatchObject({ verdict: 'no', refused_at: 'invitation' });
    await testApp.db.update(users).set({ status: 'Confirmed' }).where(eq(users.id, invited.id));
    expect(await explain(site, invited)).toMatchObject({ verdict: 'no', refused_at: 'invitation' });
    const social = await makeSite(testApp.db, { custom_auth_options: ['work'] });
    expect(await explain(social, invited)).toMatchObject({ verdict: 'conditional', refused_at: null });
  });
});

describe('what the explanation does not disclose', () => {
  test('a person of another network is answered like one who does not exist', async () => {
    const site = await makeSite(testApp.db);
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    const foreign = await makeSite(testApp.db, { network: 'southlab' });
    const member = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const refusals = [];
    for (const [asked, user] of [
      [site, stranger],
      [site, { id: 999_999 }],
      [foreign, member],
      [foreign, stranger],
    ] as const)
      refusals.push(await explain(asked, user).catch((error: unknown) => error));
    for (const refusal of refusals) expect(refusal).toMatchObject({ status: 404, code: 'not_found' });
  });

  /** Facts about the account of a person that only the person and the networks that administer the account know. */
  const secrets: [string, (user: User) => Promise<unknown>][] = [
    ['no password', ({ id }) => testApp.db.update(users).set({ password_hash: null }).where(eq(users.id, id))],
    [
      'an old password',
      ({ id }) =>
        testApp.db
          .update(users)
          .set({ password_changed_at: new Date(0) })
          .where(eq(users.id, id)),
    ],
    ['email codes', ({ id }) => testApp.db.update(users).set({ email_mfa: true }).where(eq(users.id, id))],
    [
      'an authenticator',
      ({ id }) =>
        testApp.db
          .update(users)
          .set({ totp_secret: testApp.parts.vault.encrypt(newTotpSecret()) })
          .where(eq(users.id, id)),
    ],
    ['a passkey', (user) => makePasskey(testApp.db, user)],
    [
      'a linked login',
      ({ id }) => testApp.db.insert(socialIdentities).values({ user_id: id, provider: 'work', subject: newUid() }),
    ],
    ['a lock', lockOut],
    [
      'disuse',
      ({ id }) =>
        testApp.db
          .update(users)
          .set({ created_at: new Date(0), last_login_at: new Date(0) })
          .where(eq(users.id, id)),
    ],
  ];

  test.for(secrets)('%s, of a person who belongs to other networks too', async ([, change]) => {
    await setPolicy(testApp, { mfa: 'Enable', mfa_options: ['google'], user_inactivity: 30, password_expiration: 3 });
    const siteKinds = [
      await makeSite(testApp.db),
      await makeSite(testApp.db, { email_login: false, custom_auth_options: ['work'] }),
      await makeSite(testApp.db, { email_login: false, auth_options: ['opensocial'] }),
    ];
    for (const draft of [{ alsoIn: ['southlab'] }, { network: 'southlab', alsoIn: ['northlab'] }]) {
      const user = await makeUser(testApp.db, draft);
      const readAll = () => Promise.all(siteKinds.map((site) => explain(site, user)));
      const before = await readAll();
      await change(user);
      expect(await readAll()).toEqual(before);
      expect(before.map(({ verdict }) => verdict)).toEqual(['conditional', 'conditional', 'conditional']);
    }
  });

  test('whether the account or the membership of such a person is disabled', async () => {
    const site = await makeSite(testApp.db);
    const elsewhere = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'], user_mode: 'Disable' });
    const here = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    await testApp.db
      .update(memberships)
      .set({ user_mode: 'Disable' })
      .where(and(eq(memberships.user_id, here.id), eq(memberships.network_id, north.id)));
    const [one, other] = [await explain(site, elsewhere), await explain(site, here)];
    expect(one.refused_at).toBe('active');
    expect({ ...other, user: undefined }).toEqual({ ...one, user: undefined });
  });
});

describe('§2.16 the desktop as a person sees it', () => {
  const view = (user: { id: number }) => call(viewDesktop, { params: { user_id: user.id, server_id: north.id } });

  test('has the tiles of this network in their order, without addresses, and says which the person cannot enter', async () => {
    await testApp.db.update(networks).set({ mode: 'All' }).where(eq(networks.id, north.id));
    const user = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const group = await makeGroup(testApp.db);
    const draft = { desktop_position: 100_000 };
    const restricted = await makeSite(testApp.db, { ...draft, groups: [group.id] });
    const closed = await makeSite(testApp.db, { ...draft, desktop_position: 100_001, site_mode: 'Closed' });
    const open = await makeSite(testApp.db, { ...draft, desktop_position: 100_002 });
    await makeSite(testApp.db, { network: 'southlab', desktop_position: 100_003 });
    const { apps } = await view(user);
    expect(apps.slice(-3)).toMatchObject([
      { id: restricted.id, refusal: 'Not in a group of the site.' },
      { id: closed.id, refusal: 'The site is closed.' },
      { id: open.id, refusal: null },
    ]);
    expect(apps.some((app) => 'login_url' in app)).toBe(false);
  });

  test('is written to the audit log at each view, and opens no session', async () => {
    const user = await makeUser(testApp.db);
    await view(user);
    await view(user);
    const records = await testApp.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, `view user ${user.email} desktop`))
      .orderBy(desc(auditRecords.id));
    expect(records).toHaveLength(2);
    expect(records[0]).toMatchObject({ network_id: north.id, action: 'view', object: 'user' });
    expect(await testApp.db.$count(identitySessions, eq(identitySessions.user_id, user.id))).toBe(0);
  });

  test('is empty for a person who cannot open it, with the reason', async () => {
    const user = await makeUser(testApp.db, { user_mode: 'Disable' });
    expect(await view(user)).toMatchObject({ apps: [], refusal: 'Ana Moreno is disabled, and sees no desktop.' });
  });

  test('of a person of another network is answered like one of nobody, and leaves no record', async () => {
    const stranger = await makeUser(testApp.db, { network: 'southlab' });
    const count = () => testApp.db.$count(auditRecords, eq(auditRecords.action, 'view'));
    const before = await count();
    for (const user of [stranger, { id: 999_999 }])
      await expect(view(user)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    expect(await count()).toBe(before);
  });
});
