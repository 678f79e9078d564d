import {
  acceptInvitation,
  assignUser,
  changeUser,
  confirmSignup,
  createUser,
  endUserSessions,
  getUserTimeline,
  resendInvitation,
  setUserMode,
  type TimelineEntry,
  type TimelineKind,
} from '@opensocial/contract';
import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, loginLog, personMails, sites, users } from '../../database/schema.ts';
import { deleteStaleMailRecords } from '../../mail/mail-records.ts';
import { makeGroup, makeUser, networkNamed, password, signInto } from '../../testing/app/builders.ts';
import { mailsQueuedBy } from '../../testing/app/queued-mails.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';

type User = typeof users.$inferSelect;
type Call = ReturnType<TestApp['as']>;

let testApp: TestApp;
let networks: Record<'northlab' | 'southlab' | 'opensocial', { id: number }>;
let consoleSite: { id: number };
let owner: Call;
let southern: Call;
beforeAll(async () => {
  testApp = await buildTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
  const { db } = testApp;
  networks = {
    northlab: await networkNamed(db, 'northlab'),
    southlab: await networkNamed(db, 'southlab'),
    opensocial: await networkNamed(db, 'opensocial'),
  };
  const [found = { id: 0 }] = await db.select().from(sites).where(eq(sites.kind, 'console'));
  consoleSite = found;
  owner = await as(await makeUser(db, { email: 'ana@northlab.org', owns: ['northlab'] }));
  southern = await as(await makeUser(db, { network: 'southlab', owns: ['southlab'] }));
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

type Asked = { kind?: TimelineKind; after?: string; network?: keyof typeof networks };
const read = (user: { id: number }, { network = 'northlab', ...query }: Asked = {}, call = owner) =>
  call(getUserTimeline, { params: { user_id: user.id, server_id: networks[network].id }, query });

const entriesOf = async (...asked: Parameters<typeof read>): Promise<TimelineEntry[]> => (await read(...asked)).entries;
const mailsIn = (entries: readonly TimelineEntry[]) => entries.filter((entry) => entry.kind === 'mail');
const eventsIn = (entries: readonly TimelineEntry[]) =>
  entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));

const line = (network: keyof typeof networks, user: User, rest: Partial<typeof loginLog.$inferInsert> = {}) => ({
  network_id: networks[network].id,
  user_id: user.id,
  email: user.email,
  site: `app.${network}.org`,
  login_status: 'Success' as const,
  reason: 'password',
  ip_address: '10.0.0.1',
  user_agent: 'Firefox',
  ...rest,
});

describe('§2.8 timeline: who sees what', () => {
  test('sign-ins of this network and of the console for the home network; never those of other networks', async () => {
    const person = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    const atConsole = line('opensocial', person, { site_id: consoleSite.id, site: 'console', mfa: 'totp' });
    const elsewhere = line('opensocial', person, { site: 'other.opensocial.org' });
    await testApp.db
      .insert(loginLog)
      .values([line('northlab', person), line('southlab', person), atConsole, elsewhere]);
    const home = await entriesOf(person);
    expect(new Set(home.map((entry) => 'site' in entry && entry.site))).toEqual(
      new Set(['app.northlab.org', 'console']),
    );
    expect(home).toHaveLength(2);
    // Southlab relies on the account too, so that the home network sees only the result at the console.
    expect(home.find((entry) => 'site' in entry && entry.site === 'console')).toMatchObject({
      is_console: true,
      is_brief: true,
      login_status: 'Success',
      reason: '',
      ip_address: '',
      user_agent: '',
      mfa: '',
    });
    const away = await entriesOf(person, { network: 'southlab' }, southern);
    expect(away.map((entry) => 'site' in entry && entry.site)).toEqual(['app.southlab.org']);
  });

  test('of a person of this network only, sign-ins to the console are shown with their details', async () => {
    const person = await makeUser(testApp.db);
    await testApp.db.insert(loginLog).values(line('opensocial', person, { site_id: consoleSite.id, mfa: 'totp' }));
    expect(await entriesOf(person)).toMatchObject([
      { is_console: true, is_brief: false, reason: 'password', mfa: 'totp', ip_address: '10.0.0.1' },
    ]);
  });

  test('not the owner of another network, not a member, nobody, and not across networks', async () => {
    const person = await makeUser(testApp.db);
    const gone = { status: 404, code: 'not_found' };
    await expect(read(person, {}, southern)).rejects.toMatchObject(gone);
    await expect(read(person, { network: 'southlab' }, southern)).rejects.toMatchObject(gone);
    await expect(read(person, { network: 'southlab' })).rejects.toMatchObject(gone);
    await expect(read({ id: 999_999 })).rejects.toMatchObject(gone);
    await expect(read(person, {}, await as(person))).rejects.toMatchObject({ status: 403 });
    await expect(read(person, {}, testApp.as(testApp.browser()))).rejects.toMatchObject({ status: 401 });
  });

  test('changes and mails of another network are not shown', async () => {
    const person = await makeUser(testApp.db, { network: 'southlab', alsoIn: ['northlab'] });
    const body = { user_id: person.id, server_id: networks.southlab.id };
    await southern(endUserSessions, { body });
    await southern(setUserMode, { params: { userId: person.id, mode: 'Disable' } });
    expect(eventsIn(await entriesOf(person, { network: 'southlab' }, southern))).toEqual(['disabled', 'signed_out']);
    expect(await entriesOf(person)).toEqual([]);
  });

  test('mails about an account are shown only where the decisions of the owner reach the whole account', async () => {
    const alone = await makeUser(testApp.db);
    const shared = await makeUser(testApp.db, { alsoIn: ['southlab'] });
    for (const { email } of [alone, shared])
      await testApp.parts.jobs.recordMails(testApp.db, [{ to: email, record: { kind: 'password_changed' } }]);
    expect(mailsIn(await entriesOf(alone))).toMatchObject([{ mail: 'password_changed', outcome: 'queued' }]);
    expect(await entriesOf(shared)).toEqual([]);
    expect(await entriesOf(shared, { network: 'southlab' }, southern)).toEqual([]);
  });
});

describe('§2.8 timeline: changes', () => {
  test('by an administrator, also those that name the person by id', async () => {
    const person = await makeUser(testApp.db);
    const group = await makeGroup(testApp.db, { name: 'Genomics' });
    await owner(assignUser, { body: { group_id: group.id, user_id: person.id } });
    await owner(changeUser, { params: { userId: person.id, mode: 'Disable', serverName: 'northlab' } });
    await owner(changeUser, { params: { userId: person.id, mode: 'Active', serverName: 'northlab' } });
    await owner(endUserSessions, { body: { user_id: person.id, server_id: networks.northlab.id } });
    const entries = await entriesOf(person);
    expect(eventsIn(entries)).toEqual(['signed_out', 'enabled', 'disabled', 'group_added']);
    expect(entries.at(-1)).toMatchObject({
      kind: 'change',
      detail: 'Genomics',
      actor: 'ana@northlab.org',
      is_own: false,
    });
    expect(mailsIn(entries).map(({ mail }) => mail)).toEqual(['signed_out', 'enabled', 'disabled']);
    expect(eventsIn(await entriesOf(person, { kind: 'security' }))).toEqual(['signed_out']);
    expect(eventsIn(await entriesOf(person, { kind: 'change' }))).toEqual(['enabled', 'disabled', 'group_added']);
    expect(await entriesOf(person, { kind: 'sign_in' })).toEqual([]);
  });

  test.for([
    ['update own authenticator', 'own_authenticator', 'security'],
    ['update own recovery codes', 'own_recovery_codes', 'security'],
    ['update own email MFA', 'own_email_codes', 'security'],
    ['update own passkeys', 'own_passkeys', 'security'],
    ['update own linked login', 'own_login', 'security'],
    ['update own password', 'own_password', 'security'],
    ['update own name', 'own_name', 'change'],
    ['view user EMAIL desktop', 'desktop_viewed', 'change'],
    ['update user EMAIL in a way of later versions', 'changed', 'change'],
  ] as const)('%s', async ([description, event, kind]) => {
    const person = await makeUser(testApp.db);
    await testApp.db.insert(auditRecords).values({
      network_id: networks.northlab.id,
      actor_id: person.id,
      actor: person.email,
      audit_type: 'OpenSocial',
      action: 'update',
      description: description.replace('EMAIL', person.email),
    });
    expect(await entriesOf(person)).toMatchObject([{ kind, event, is_own: true }]);
    expect(await entriesOf(person, { kind })).toHaveLength(1);
  });

  test('a claim of the console is not a change', async () => {
    const person = await makeUser(testApp.db);
    await testApp.db.insert(auditRecords).values({
      network_id: networks.northlab.id,
      actor: person.email,
      audit_type: 'OpenSocial',
      action: 'update',
      description: `update user ${person.email}`,
      claimed_user: 'somebody',
    });
    expect(await entriesOf(person)).toEqual([]);
  });
});

describe('§2.8 timeline: pages', () => {
  test('follow one another without gaps and repetitions, also within one moment', async () => {
    const person = await makeUser(testApp.db);
    const at = new Date('2026-05-05T10:00:00Z');
    await testApp.db
      .insert(loginLog)
      .values(Array.from({ length: 70 }, () => line('northlab', person, { login_time: at })));
    const record = { kind: 'signed_out' as const, networkId: networks.northlab.id };
    await testApp.parts.jobs.recordMails(
      testApp.db,
      Array.from({ length: 40 }, () => ({ to: person.email, record })),
    );
    await testApp.db.update(personMails).set({ created_at: at }).where(eq(personMails.email, person.email));
    await testApp.db.insert(auditRecords).values(
      Array.from({ length: 30 }, (_, place) => ({
        network_id: networks.northlab.id,
        actor: 'x',
        audit_type: 'OpenSocial',
        action: 'update',
        description: `update user ${person.email}`,
        created_at: new Date(at.getTime() - (place % 2)),
      })),
    );
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page = await read(person, after === undefined ? {} : { after });
      seen.push(...page.entries.map(({ kind, id }) => `${kind} ${id}`));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toHaveLength(140);
    expect(new Set(seen).size).toBe(140);
  });

  test('a cursor that was not made here is refused', async () => {
    const person = await makeUser(testApp.db);
    for (const after of ['', '1', "2026-05-05 10:00:00+00~mail~1'", '2026-05-05 10:00:00+00~users~1'])
      await expect(read(person, { after })).rejects.toMatchObject({ status: 400 });
  });
});

describe('§2.8 timeline: mails', () => {
  const invite = async (email: string) => {
    const body = { email, firstname: 'Ivo', lastname: 'Rossi', sso_server_id: networks.northlab.id, groups: [] };
    return owner(createUser, {
      body: { ...body, signup_from: testApp.parts.config.publicUrl, signup_server: 'northlab' },
    });
  };
  const again = (user: { id: number }) =>
    owner(resendInvitation, { body: { user_id: user.id, server_id: networks.northlab.id } });
  const shown = (entries: readonly TimelineEntry[]) =>
    mailsIn(entries).map(({ mail, outcome, link }) => [mail, outcome, link]);

  test('an invitation looks the same whether or not the address has an account', async () => {
    const southerner = await makeUser(testApp.db, { network: 'southlab' });
    const [known, unknown] = [await invite(southerner.email), await invite('nobody@lab.org')];
    for (const invited of [known, unknown]) {
      expect(shown(await entriesOf(invited))).toEqual([['invitation', 'sent', 'open']]);
      await mailsQueuedBy(testApp, () => again(invited));
      expect(shown(await entriesOf(invited))).toEqual([
        ['invitation', 'sent', 'open'],
        ['invitation', 'sent', 'ended'],
      ]);
    }
  });

  test.for(['forgot', 'resend', 'sign-up'] as const)(
    'a request on the sign-in page (%s) looks the same whether or not the address has an account elsewhere',
    async (reason) => {
      const southerner = await makeUser(testApp.db, { network: 'southlab' });
      const network = { id: networks.northlab.id, name: 'northlab' };
      const request = { reason, network, firstname: 'Ivo', lastname: 'Rossi', address: '10.0.0.9', device: undefined };
      const seen = [];
      for (const email of [southerner.email, `${reason}@nobody.org`]) {
        const invited = await invite(email);
        await mailsQueuedBy(testApp, () => testApp.parts.jobs.answerLinkRequest(testApp.db, { ...request, email }));
        seen.push(shown(await entriesOf(invited)));
      }
      expect(seen[0]).toEqual(seen[1]);
      expect(seen[0]).toHaveLength(2);
    },
  );

  test('a used link is marked, by setting the password or by accepting on the profile', async () => {
    const southerner = await makeUser(testApp.db, { network: 'southlab' });
    const known = await invite(southerner.email);
    expect(shown(await entriesOf(known))).toEqual([['invitation', 'sent', 'open']]);
    const browser = await signInto(testApp.db, testApp.browser(), southerner);
    await testApp.as(browser)(acceptInvitation, { params: { server: 'northlab' } });
    expect(shown(await entriesOf(southerner))).toEqual([['invitation', 'sent', 'used']]);

    const email = 'unknown@lab.org';
    const [mail] = await mailsQueuedBy(testApp, () => invite(email));
    const code = /token=([\w-]{40})/.exec(mail?.text ?? '')?.[1] ?? '';
    const signup_from = testApp.parts.config.publicUrl;
    await testApp.as(testApp.browser())(confirmSignup, { body: { email, code, password, signup_from } });
    const [account = { id: 0 }] = await testApp.db.select().from(users).where(eq(users.email, email));
    expect(shown(await entriesOf(account))).toEqual([['invitation', 'sent', 'used']]);
  });

  test('are deleted with the login log', async () => {
    const person = await makeUser(testApp.db);
    const record = { kind: 'signed_out' as const, networkId: networks.northlab.id };
    await testApp.parts.jobs.recordMails(testApp.db, [
      { to: person.email, record },
      { to: person.email, record },
    ]);
    const [first = { id: 0 }] = await testApp.db.select().from(personMails).where(eq(personMails.email, person.email));
    await testApp.db
      .update(personMails)
      .set({ created_at: sql`now() - interval '31 days'` })
      .where(and(eq(personMails.id, first.id)));
    await deleteStaleMailRecords(testApp.db, 0);
    expect(await entriesOf(person)).toHaveLength(2);
    await deleteStaleMailRecords(testApp.db, 30);
    expect(await entriesOf(person)).toHaveLength(1);
  });
});
