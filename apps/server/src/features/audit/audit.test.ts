import {
  type AuditObject,
  assignUser,
  createGroup,
  getAuditRecord,
  getSettings,
  listAudit,
  recordAuditClaim,
  updateName,
  updateSettings,
} from '@opensocial/contract';
import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditRecords, throttles, type users } from '../../database/schema.ts';
import { makeGroup, makeUser, networkNamed, signInto } from '../../testing/app/builders.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { deleteStaleClaims } from './audit.service.ts';

type User = typeof users.$inferSelect;

let testApp: TestApp;
let ana: User;
let owner: ReturnType<TestApp['as']>;
beforeAll(async () => {
  testApp = await buildTestApp();
  ana = await makeUser(testApp.db, { email: 'ana@auditlab.org', owns: ['northlab'] });
  owner = await as(ana);
});

const as = async (user: User) => testApp.as(await signInto(testApp.db, testApp.browser(), user));

type Asked = { object?: AuditObject; person?: string; time?: string; keyword?: string; lastid?: number };
const list = (asked: Asked = {}, server = 'northlab', call = owner) =>
  call(listAudit, { params: { server, lastid: 0, ...asked } });
const newest = async (asked: Asked = {}) => {
  const [record] = (await list(asked)).records;
  return owner(getAuditRecord, { params: { server: 'northlab', id: record?.id ?? 0 } });
};

const write = async (network: string, values: Partial<typeof auditRecords.$inferInsert>[]) =>
  testApp.db.insert(auditRecords).values(
    await Promise.all(
      values.map(async (value) => ({
        network_id: (await networkNamed(testApp.db, network)).id,
        actor: 'somebody@auditlab.org',
        audit_type: 'OpenSocial',
        action: 'update',
        description: 'update desktop',
        ...value,
      })),
    ),
  );

describe('§7.6 audit: owners read who changed what', () => {
  test('a change with its old and new data, and the person who made it', async () => {
    const { id } = await networkNamed(testApp.db, 'northlab');
    await owner(createGroup, { body: { name: 'Chemistry', description: 'Wet', sso_server: id } });
    expect(await newest({ object: 'group' })).toMatchObject({
      object: 'group',
      action: 'create',
      description: 'create group Chemistry',
      actor: ana.email,
      actor_id: ana.id,
      ip_address: '127.0.0.1',
      old_data: null,
      new_data: { name: 'Chemistry', description: 'Wet' },
      claimed_user: '',
    });
  });

  test('a change of a group names the group and the person', async () => {
    const user = await makeUser(testApp.db);
    const group = await makeGroup(testApp.db, { name: 'Physics' });
    await owner(assignUser, { body: { group_id: group.id, user_id: user.id } });
    expect(await newest({ object: 'group' })).toMatchObject({
      title: `Added ${user.email} to the group Physics`,
      new_data: { group_id: group.id, group: 'Physics', user_id: user.id, user: user.email },
      fields: [
        { label: 'Group', before: '', after: 'Physics' },
        { label: 'Person', before: '', after: user.email },
      ],
    });
  });

  test.for([
    ['update site reports.org', 'site'],
    ['create site of a group', 'group'],
    ['delete user of a group', 'group'],
    ['create user bea@northlab.org', 'user'],
    ['update invitation of bea@northlab.org', 'user'],
    ['delete visit of a user to a site', 'user'],
    ['delete owner', 'owner'],
    ['update settings of northlab', 'settings'],
    ['update network mode', 'network'],
    ['update desktop', 'desktop'],
    ['update email template signup', 'template'],
    ['create image', 'image'],
    ['update own recovery codes', 'profile'],
    ['paint the town', 'other'],
  ] as const)('%s has the object %s', async ([description, object]) => {
    await write('northlab', [{ description }]);
    const { records } = await list();
    expect(records[0]).toMatchObject({ description, object });
  });

  test('filtered by object, person, time and keyword, all at once, with the exact total', async () => {
    await write('southlab', [
      { description: 'update site a.org', created_at: new Date('2026-03-01T23:59:59Z') },
      { description: 'update site b.org', created_at: new Date('2026-03-02T00:00:00Z'), actor: 'bea@auditlab.org' },
      { description: 'delete owner', created_at: new Date('2026-03-02T12:00:00Z'), old_data: { owner: 'cy@lab.org' } },
      { description: 'update desktop', created_at: new Date('2026-03-03T00:00:00Z'), actor: 'bea@auditlab.org' },
    ]);
    const reader = await as(await makeUser(testApp.db, { network: 'southlab', owns: ['southlab'] }));
    const found = async (asked: Asked) => {
      const { records, all_records } = await list(asked, 'southlab', reader);
      expect(all_records).toBe(records.length);
      return records.map(({ description }) => description);
    };
    expect(await found({ time: '2026-03-01,2026-03-03' })).toEqual([
      'update desktop',
      'delete owner',
      'update site b.org',
      'update site a.org',
    ]);
    expect(await found({ object: 'site' })).toEqual(['update site b.org', 'update site a.org']);
    expect(await found({ person: 'BEA@' })).toEqual(['update desktop', 'update site b.org']);
    expect(await found({ time: '2026-03-02,2026-03-02' })).toEqual(['delete owner', 'update site b.org']);
    expect(await found({ keyword: 'cy@lab' })).toEqual(['delete owner']);
    expect(await found({ object: 'site', person: 'bea', time: '2026-03-01,2026-03-02', keyword: 'b.org' })).toEqual([
      'update site b.org',
    ]);
  });

  test('a page at a time, from the newest', async () => {
    await write(
      'northlab',
      Array.from({ length: 7 }, (_, place) => ({
        description: `update desktop ${place}`,
        actor: 'paged@auditlab.org',
      })),
    );
    const first = await list({ person: 'paged@' });
    expect(first).toMatchObject({ all_records: 7 });
    const second = await list({ person: 'paged@', lastid: first.records.at(-1)?.id ?? 0 });
    expect([...first.records, ...second.records].map(({ description }) => description.at(-1)).join('')).toBe('6543210');
    await expect(list({ lastid: 999_999_999 })).rejects.toMatchObject({ code: 'cursor_gone' });
  });

  test('of their own network only: other records are answered as if they did not exist', async () => {
    await write('southlab', [{ description: 'update site theirs.org' }]);
    const [theirs] = await testApp.db
      .select()
      .from(auditRecords)
      .where(eq(auditRecords.description, 'update site theirs.org'));
    const asked = owner(getAuditRecord, { params: { server: 'northlab', id: theirs?.id ?? 0 } });
    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    expect((await list({ keyword: 'theirs.org' })).records).toEqual([]);
  });

  test('a description by the console is shown as a claim', async () => {
    await owner(recordAuditClaim, {
      body: {
        audit_type: 'OpenSocial',
        action: 'delete',
        description: 'delete site of a group',
        user: 'forged@auditlab.org',
        source: '8.8.8.8',
        new_data: { group_id: 'no id' },
      },
    });
    expect(await newest({ object: 'claim' })).toMatchObject({
      actor: ana.email,
      ip_address: '127.0.0.1',
      claimed_user: 'forged@auditlab.org',
      claimed_source: '8.8.8.8',
      title: 'delete site of a group',
      new_data: { group_id: 'no id' },
      fields: [{ label: 'Group id', before: '', after: 'no id' }],
    });
  });

  describe('a claim', () => {
    const body = { audit_type: 'OpenSocial', action: 'delete', description: 'x', user: 'x', source: 'x' };
    const claimsOf = (user: User) =>
      testApp.db.$count(auditRecords, and(eq(auditRecords.actor_id, user.id), isNotNull(auditRecords.claimed_user)));

    test('is accepted from owners of the selected network only, and belongs to it', async () => {
      const member = await makeUser(testApp.db, { alsoIn: ['southlab'] });
      await expect((await as(member))(recordAuditClaim, { body })).rejects.toMatchObject({ code: 'forbidden' });
      const elsewhere = await makeUser(testApp.db, { owns: ['southlab'] });
      await expect((await as(elsewhere))(recordAuditClaim, { body })).rejects.toMatchObject({ code: 'forbidden' });
      expect(await claimsOf(member)).toBe(0);
      expect(await claimsOf(elsewhere)).toBe(0);
    });

    test('has at most two kilobytes', async () => {
      const large = { ...body, old_data: { owner: 'x'.repeat(2_000) } };
      await expect(owner(recordAuditClaim, { body: large })).rejects.toMatchObject({ code: 'too_large' });
    });

    test('is accepted exactly sixty times a minute, also of 200 at once', async () => {
      const user = await makeUser(testApp.db, { owns: ['northlab'] });
      const call = await as(user);
      const outcomes = await Promise.allSettled(Array.from({ length: 200 }, () => call(recordAuditClaim, { body })));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
      for (const { reason } of outcomes.filter((outcome) => outcome.status === 'rejected'))
        expect(reason).toMatchObject({ code: 'too_many', retryAfter: 60 });
      expect(await claimsOf(user)).toBe(60);
      const minuteAgo = sql`now() - interval '1 minute'`;
      await testApp.db
        .update(throttles)
        .set({ updated_at: minuteAgo })
        .where(eq(throttles.key, `audit:session:${user.id}`));
      await call(recordAuditClaim, { body });
      expect(await claimsOf(user)).toBe(61);
    });

    test("is deleted once it is older than the retention; the server's own records never are", async () => {
      const user = await makeUser(testApp.db);
      const days = (count: number) => new Date(Date.now() - count * 86_400_000);
      const of = { actor_id: user.id, actor: user.email };
      await write('northlab', [
        { ...of, description: 'old claim', claimed_user: 'x', created_at: days(401) },
        { ...of, description: 'young claim', claimed_user: 'x', created_at: days(399) },
        { ...of, description: 'old record', created_at: days(401) },
      ]);
      const left = async () =>
        (await testApp.db.select().from(auditRecords).where(eq(auditRecords.actor_id, user.id)))
          .map(({ description }) => description)
          .toSorted();
      await deleteStaleClaims(testApp.db, 0);
      expect(await left()).toHaveLength(3);
      await deleteStaleClaims(testApp.db, 400);
      expect(await left()).toEqual(['old record', 'young claim']);
      const forged = testApp.db
        .update(auditRecords)
        .set({ claimed_user: 'x' })
        .where(eq(auditRecords.actor_id, user.id));
      await expect(forged).rejects.toThrow();
    });
  });

  test('exported as CSV with search and filters, newest first, with the values before and after; formulas are escaped', async () => {
    const exporter = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    await write('northlab', [{ description: 'update site theirs.org', created_at: new Date('2025-05-01T08:30:00Z') }]);
    await write('southlab', [
      { description: 'update site a.org', created_at: new Date('2025-05-01T08:00:00Z') },
      {
        actor: '=cmd@auditlab.org',
        description: 'update site b.org',
        old_data: { site_name: 'B' },
        new_data: { site_name: 'B, "new"' },
        ip_address: '192.0.2.7',
        created_at: new Date('2025-05-01T09:00:00Z'),
      },
      { description: 'update site c.org', created_at: new Date('2025-05-02T23:30:00Z') },
    ]);
    const browser = await signInto(testApp.db, testApp.browser(), exporter);
    const answer = await browser.fetch(
      '/server/sso/audit_export/southlab/object/site/time/2025-05-01,2025-05-02/csv?zone=Europe/Berlin',
      {},
      {},
    );
    expect(answer.headers.get('content-disposition')).toContain('changes-southlab.csv');
    expect((await answer.text()).trimEnd().split('\r\n')).toEqual([
      'time,change,values,by,ip_address,object,action,description,before,after',
      `2025-05-01T09:00:00.000Z,"Changed the site B, ""new"" (b.org)","Site Name: B → B, ""new""",'=cmd@auditlab.org,192.0.2.7,site,update,update site b.org,"{""site_name"":""B""}","{""site_name"":""B, \\""new\\""""}"`,
      '2025-05-01T08:00:00.000Z,Changed the site a.org,,somebody@auditlab.org,,site,update,update site a.org,,',
    ]);
    const stranger = await signInto(testApp.db, testApp.browser(), ana);
    expect((await stranger.fetch('/server/sso/audit_export/southlab/csv', {}, {})).status).toBe(404);
  });

  test('exported completely if they are many, also those of the same moment', async () => {
    const exporter = await makeUser(testApp.db, { owns: ['southlab'], network: 'southlab' });
    const created_at = new Date('2026-02-01T08:00:00Z');
    await write(
      'southlab',
      Array.from({ length: 1_201 }, (_, place) => ({ description: `update group many ${place}`, created_at })),
    );
    const browser = await signInto(testApp.db, testApp.browser(), exporter);
    const answer = await browser.fetch('/server/sso/audit_export/southlab/search/group many/csv', {}, {});
    const lines = (await answer.text()).trimEnd().split('\r\n').slice(1);
    expect(new Set(lines).size).toBe(1_201);
  });

  test("changes of one's own account are recorded, without secrets", async () => {
    await owner(updateName, { body: { id: ana.id, email: ana.email, first_name: 'Anna', last_name: 'Moreno' } });
    expect(await newest({ object: 'profile' })).toMatchObject({ description: 'update own name' });
    const form = await owner(getSettings, { params: { server: 'northlab' } });
    await owner(updateSettings, {
      params: { server: 'northlab' },
      body: { server: 'northlab', ...form, google_key: 'a-key', google_secret: 'planted-5Yk2q8' },
    });
    const record = await newest({ object: 'settings' });
    expect(record.new_data).toMatchObject({ google_key: 'a-key', google_secret: 'a secret' });
    expect(JSON.stringify(record)).not.toContain('planted');
    expect((await list({ keyword: 'planted' })).records).toEqual([]);
  });
});
