import {
  type AuditDetails,
  assignUser,
  getAuditRecord,
  listAudit,
  removeGroup,
  unassignSite,
  unassignUser,
} from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, groupSites, images } from '../../../database/schema.ts';
import { makeGroup, makeSite, makeUser, networkNamed, signInto } from '../../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../../testing/app/test-app.ts';
import { recordAudit } from '../audit.service.ts';
import type { AuditData } from './audit.fields.ts';

let testApp: TestApp;
let network: { id: number };
let call: ReturnType<TestApp['as']>;
let site: Awaited<ReturnType<typeof makeSite>>;
let group: Awaited<ReturnType<typeof makeGroup>>;
let person: Awaited<ReturnType<typeof makeUser>>;
beforeAll(async () => {
  testApp = await buildTestApp();
  network = await networkNamed(testApp.db, 'northlab');
  const owner = await makeUser(testApp.db, { owns: ['northlab'] });
  call = testApp.as(await signInto(testApp.db, testApp.browser(), owner));
  site = await makeSite(testApp.db, { site_name: 'Reports', domain: 'reports.org' });
  group = await makeGroup(testApp.db, { name: 'Physics' });
  person = await makeUser(testApp.db, { email: 'bea@northlab.org' });
});

const newest = async (): Promise<AuditDetails> => {
  const { records } = await call(listAudit, { params: { server: 'northlab', lastid: 0 } });
  const details = await call(getAuditRecord, { params: { server: 'northlab', id: records[0]?.id ?? 0 } });
  expect(details.title).toBe(records[0]?.title);
  return details;
};

type Written = Partial<typeof auditRecords.$inferInsert>;

/** A record as the database has it, also from earlier versions. */
const told = async (description: string, rest: Written = {}) => {
  await testApp.db.insert(auditRecords).values({
    network_id: network.id,
    actor: 'ana@northlab.org',
    audit_type: 'OpenSocial',
    action: description.split(' ')[0] ?? '',
    description,
    ...rest,
  });
  const { title, fields } = await newest();
  return { title, values: fields.map(({ label, before, after }) => `${label}: ${before} → ${after}`) };
};

describe('the record of changes says in a sentence', () => {
  test.each<[string, Written, string]>([
    ['create site reports.org', { new_data: { site_name: 'Reports' } }, 'Added the site Reports (reports.org)'],
    ['update site gone.org', {}, 'Changed the site gone.org'],
    ['delete site reports.org', { old_data: { site_name: 'Reports' } }, 'Deleted the site Reports (reports.org)'],
    ['restore site reports.org', {}, 'Restored the site reports.org'],
    ['delete site reports.org from the trash', {}, 'Deleted the site reports.org permanently'],
    ['create group Physics', {}, 'Added the group Physics'],
    ['delete group Wet lab', {}, 'Deleted the group Wet lab'],
    ['delete group Wet lab from the trash', {}, 'Deleted the group Wet lab permanently'],
    ['create user bea@northlab.org', {}, 'Invited bea@northlab.org'],
    ['create user bea@northlab.org in groups', { new_data: { groups: ['A', 'B'] } }, 'Added bea@northlab.org to A, B'],
    ['update user bea@northlab.org', { new_data: { firstname: 'Bea' } }, 'Changed bea@northlab.org'],
    ['update user bea@northlab.org', { new_data: { user_mode: 'Disable' } }, 'Disabled bea@northlab.org'],
    ['update user bea@northlab.org', { new_data: { user_mode: 'Active' } }, 'Enabled bea@northlab.org'],
    ['update user bea@northlab.org', { new_data: { status: 'Confirmed' } }, 'Marked bea@northlab.org as confirmed'],
    ['update user bea@northlab.org', { new_data: { unlocked: true } }, 'Unlocked bea@northlab.org'],
    [
      'update user bea@northlab.org',
      { new_data: { decision: 'accepted the invitation' } },
      'bea@northlab.org accepted the invitation',
    ],
    [
      'delete user bea@northlab.org',
      { new_data: { decision: 'left the network' } },
      'bea@northlab.org left the network',
    ],
    ['delete user bea@northlab.org', {}, 'Removed bea@northlab.org from the network'],
    ['restore user bea@northlab.org', {}, 'Restored bea@northlab.org'],
    ['delete user bea@northlab.org from the trash', {}, 'Deleted bea@northlab.org permanently'],
    ['view user bea@northlab.org desktop', {}, 'Viewed the desktop of bea@northlab.org'],
    ['update user bea@northlab.org password link', {}, 'Sent bea@northlab.org a link for a new password'],
    ['delete user bea@northlab.org sessions', {}, 'Signed out bea@northlab.org'],
    ['delete user bea@northlab.org second factors', {}, 'Reset the second factors of bea@northlab.org'],
    [
      'update user bea@northlab.org recovery',
      {},
      'Made a link for a new password of bea@northlab.org and removed second factors',
    ],
    ['update invitation of bea@northlab.org', {}, 'Invited bea@northlab.org again'],
    ['view invitation of bea@northlab.org', {}, 'Made a link of the invitation of bea@northlab.org'],
    ['create owner', { new_data: { owner: 'cy@lab.org' } }, 'Made cy@lab.org an owner'],
    ['delete owner', { old_data: { owner: 'cy@lab.org' } }, 'Removed cy@lab.org from the owners'],
    ['update settings of northlab', {}, 'Changed the settings'],
    ['create network', {}, 'Created the network'],
    ['update network mode', {}, 'Changed the mode of the network'],
    ['create network signing key', { new_data: { state: 'next' } }, 'Added the next signing key'],
    ['update network signing key', { new_data: { tried_until: null } }, 'Stopped trying the next signing key'],
    [
      'update network signing key',
      { new_data: { site: 'reports.org', signing_key: null } },
      'Switched reports.org to another signing key',
    ],
    ['update network signing key', { new_data: { state: 'retired' } }, 'Retired a signing key'],
    ['delete network signing key', {}, 'Deleted a signing key'],
    ['update desktop', {}, 'Arranged the desktop'],
    [
      'update email template invitation',
      { new_data: { in_use: true } },
      'Switched the email template User Invitation by Admin on',
    ],
    ['update email template reset', { new_data: { html: '<p>' } }, 'Changed the email template Password Reset'],
    ['create image', { new_data: { title: 'Our logo' } }, 'Added the image Our logo'],
    ['delete image', { old_data: { title: '', file_name: 'logo.png' } }, 'Deleted the image logo.png'],
    ['delete image from the trash', { old_data: { label: 'Our logo' } }, 'Deleted the image Our logo permanently'],
    ['update own name', {}, 'Changed their own name'],
    ['update own passkeys', { old_data: { name: 'Phone' } }, 'Removed the passkey Phone'],
    ['update own linked login', {}, 'Unlinked one of their logins'],
    ['update RS256 key for OpenID Connect', {}, 'Replaced the RS256 key for OpenID Connect'],
    ['delete audit records', {}, 'Deleted old records of changes'],
    ['paint the town', {}, 'paint the town'],
  ])('%s', async (description, rest, title) => {
    expect((await told(description, rest)).title).toBe(title);
  });

  test('what a site is called now', async () => {
    expect((await told('update site reports.org', { subject_key: `site:${site.id}` })).title).toBe(
      'Changed the site Reports (reports.org)',
    );
  });
});

describe('the record of changes has the words of the screens', () => {
  test.each<[string, object, object, string[]]>([
    [
      'update settings of northlab',
      { mfa_options: [], password_expiration: 0, session_idle_minutes: 30, google_secret: 'none', failed_tries: 10 },
      {
        mfa_options: ['google', 'email'],
        password_expiration: 3,
        session_idle_minutes: 60,
        google_secret: 'a secret',
        failed_tries: 0,
      },
      [
        'Google secret: None → A secret',
        'Password expiration: Disable → After 3 months',
        'Bad attempts: 10 → Unlimited',
        'Permitted MFA options:  → Authenticator app (TOTP)\nCode by email',
        'Idle session: 30 minutes → 60 minutes',
      ],
    ],
    [
      'update settings of northlab',
      { password_length: null, password_complexity: ['lowerletter'] },
      { password_length: 16, password_complexity: ['lowerletter', 'special'] },
      [
        'Minimum length: 16 characters, or 8 if MFA is enabled → 16 characters',
        'Password complexity: Lower-case letter → Lower-case letter\nSpecial character',
      ],
    ],
    [
      'update site reports.org',
      { name_id_format: 'requested', encrypts: false, sls_binding: 'auto', signs: 'both', icon: '<svg/>' },
      { name_id_format: 'emailAddress', encrypts: true, sls_binding: 'soap', signs: 'response', icon: '<svg></svg>' },
      [
        'Logout binding: Automatic → SOAP (between servers)',
        'Signature: Both → Response',
        'Encrypt assertions: No → Yes',
        'NameID: format: As requested → Email address',
        'Site Icon: An icon → Another icon',
      ],
    ],
    [
      'update site reports.org',
      { attributes: null, further_acs: [] },
      {
        attributes: [
          { name: 'mail', source: 'email' },
          { name: 'role', source: 'constant', values: ['reader'] },
        ],
        further_acs: [{ index: 2, url: 'https://reports.org/acs' }],
      },
      [
        'Further ACS URLs:  → https://reports.org/acs (2)',
        'Attributes of this site: The default attributes → mail: Email address\nrole: reader',
      ],
    ],
    [
      'update site reports.org',
      { oidc: { authentication: 'none', requires_pkce: true, jwks: null } },
      { oidc: { authentication: 'secret', requires_pkce: true, jwks: null } },
      ['Authentication of the application: Public client → Secret', 'Require PKCE: Yes → Yes'],
    ],
    [
      'update network signing key',
      { state: 'current', algorithm: 'rsa-2048' },
      { state: 'current', algorithm: 'ec-p256' },
      ['Algorithm: RSA, 2,048 bits → ECDSA, P-256', 'Key: Current key → Current key'],
    ],
    ['delete user bea@northlab.org sessions', { sessions: 'in this network' }, {}, ['Signed out: In this network → ']],
    [
      'delete user bea@northlab.org second factors',
      { factors: ['totp', 'passkey'] },
      {},
      ['Second factors: Authenticator app\nPasskey → '],
    ],
    [
      'update user bea@northlab.org',
      { bypass_inactivity: false },
      { bypass_inactivity: true },
      ['never disable: No → Yes'],
    ],
    ['update own linked login', { provider: 'google' }, {}, ['Login: Google → ']],
    ['delete audit records', { older_than_days: 400 }, {}, ['Older than: 400 days → ']],
    // A field that no version knows any more.
    ['update user bea@northlab.org', { shoe_size: 40 }, { shoe_size: 41 }, ['Shoe size: 40 → 41']],
  ])('%s', async (description, old_data, new_data, values) => {
    expect((await told(description, { old_data, new_data })).values).toEqual(values);
  });

  test('sites of the desktop, testers and images by their names, and what is gone as gone', async () => {
    await testApp.db.insert(images).values({
      network_id: network.id,
      kind: 'image',
      name: 'abc.png',
      title: 'Our logo',
      media_type: 'image/png',
      size: 1,
      width: 1,
      height: 1,
    });
    expect((await told('update desktop', { new_data: { desktop_apps: [site.id, 987_654] } })).values).toEqual([
      'Apps, in this order:  → Reports (reports.org)\nA site that was deleted (987654)',
    ]);
    expect((await told('update site x.org', { new_data: { testers_group_id: group.id } })).values).toEqual([
      'Testers:  → Physics',
    ]);
    expect((await told('update settings of northlab', { new_data: { logo: 'abc.png' } })).values).toEqual([
      'Global Logo:  → Our logo',
    ]);
  });

  test('a moment is left to the reader, who has a time zone', async () => {
    await told('update site x.org', { new_data: { closes_at: '2026-11-20T10:00:00.000Z' } });
    expect((await newest()).fields).toMatchObject([
      { label: 'Closes', format: 'time', after: '2026-11-20T10:00:00.000Z' },
    ]);
  });

  test('THREATS: names of another network are not found, whatever id a record has', async () => {
    const theirs = await makeSite(testApp.db, { network: 'southlab', site_name: 'Secret plans', domain: 'plans.org' });
    const group_id = (await makeGroup(testApp.db, { network: 'southlab', name: 'Spies' })).id;
    const user_id = (await makeUser(testApp.db, { network: 'southlab', email: 'spy@southlab.org' })).id;
    const { title, values } = await told('create user of a group', { new_data: { group_id, user_id } });
    const desktop = await told('update desktop', { new_data: { desktop_apps: [theirs.id] } });
    const said = JSON.stringify([title, values, desktop]);
    for (const secret of ['Secret plans', 'plans.org', 'Spies', 'spy@southlab.org']) expect(said).not.toContain(secret);
  });
});

describe('what was removed stays known', () => {
  test('who was removed from which group, also when neither exists any more', async () => {
    const doomed = await makeGroup(testApp.db, { name: 'Short-lived' });
    await call(assignUser, { body: { group_id: doomed.id, user_id: person.id } });
    await call(unassignUser, { params: { groupId: doomed.id, userId: person.id } });
    await call(removeGroup, { params: { groupId: doomed.id } });
    const { records } = await call(listAudit, { params: { server: 'northlab', lastid: 0 } });
    expect(records.slice(0, 3).map(({ title }) => title)).toEqual([
      'Deleted the group Short-lived',
      'Removed bea@northlab.org from the group Short-lived',
      'Added bea@northlab.org to the group Short-lived',
    ]);
  });

  test('which site lost a group', async () => {
    const other = await makeGroup(testApp.db, { name: 'Chemistry' });
    await testApp.db.insert(groupSites).values([
      { group_id: group.id, site_id: site.id },
      { group_id: other.id, site_id: site.id },
    ]);
    await call(unassignSite, { params: { group_id: group.id, site_id: site.id } });
    const { title, revert } = await newest();
    expect(title).toBe('Removed the site Reports (reports.org) from the group Physics');
    expect(revert).toEqual({ state: 'impossible', reason: 'To undo this, assign the group again.' });
  });

  test('records of earlier versions have ids only', async () => {
    const old_data = { group_id: group.id, user_id: person.id };
    expect(await told('delete user of a group', { old_data })).toEqual({
      title: 'Removed bea@northlab.org from the group Physics',
      values: ['Group: Physics → ', 'Person: bea@northlab.org → '],
    });
    const unknown = await told('delete user of a group', { old_data: { group_id: 987_654, user_id: 987_655 } });
    expect(unknown.title).toBe(
      'Removed a person who is no longer in this network (987655) from a group that was deleted (987654)',
    );
  });
});

test('a record about another kind of object than its subject says is refused', async () => {
  const actor = { kind: 'system', name: 'tests' } as const;
  const wrong = recordAudit(testApp.db, {
    network_id: null,
    actor,
    action: 'update',
    object: 'site',
    subject: 'group A',
  });
  await expect(wrong).rejects.toThrow('about group, not about site');
});

test('a field without a label does not compile', () => {
  const labelled: AuditData<'user'> = { email: 'bea@northlab.org' };
  // @ts-expect-error -- this field is not in the list of fields.
  const unlabelled: AuditData<'user'> = { shoe_size: 41 };
  expect([labelled, unlabelled]).toHaveLength(2);
});
