import { asc, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { auditChain, auditRecords } from '../../database/schema.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { chainAuditRecords, deleteStaleRecords } from './audit.chain.service.ts';
import { recordAudit } from './audit.service.ts';
import { verifyAuditLog } from './audit.verify.service.ts';

let testApp: TestApp;
let last: number;

const record = (subject: string) =>
  recordAudit(testApp.db, {
    network_id: null,
    actor: { kind: 'system', name: 'somebody' },
    action: 'update',
    object: 'group',
    subject,
    old_data: { name: 'Été', id: 0.1, description: null },
  });

const chain = () => chainAuditRecords(testApp.parts);
const verify = (...expected: { position: number; mac: string }[]) =>
  verifyAuditLog(testApp.db, testApp.parts.vault, expected);

/** What somebody can do who has the database, but not the secret key. */
const behindTheBack = (change: ReturnType<typeof sql>) =>
  testApp.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = 'replica'`);
    await tx.execute(change);
  });

beforeEach(async () => {
  testApp = await buildTestApp();
  for (const subject of ['group 1', 'group 2', 'group 3']) last = await record(subject);
  await chain();
});

describe('the chain of the audit log', () => {
  test('has every record of the server once, in the order of their ids', async () => {
    const found = await testApp.db.select().from(auditChain).orderBy(asc(auditChain.position));
    expect(found.map(({ position }) => position)).toEqual(found.map((_, place) => place + 1));
    expect(found.at(-1)?.record_id).toBe(last);
    expect(await testApp.db.$count(auditRecords)).toBe(found.length);
    expect(await verify()).toMatchObject({ faults: [], checked: found.length, waiting: 0 });
  });

  test('is extended by later records, and those of open transactions follow after they have ended', async () => {
    await testApp.db.transaction(async (tx) => {
      await recordAudit(tx, {
        network_id: null,
        actor: { kind: 'system', name: 'slow' },
        action: 'create',
        object: 'site',
        subject: 'site 1',
      });
      await record('group 4');
      await chain();
    });
    expect((await verify()).waiting).toBe(1);
    await chain();
    expect(await verify()).toMatchObject({ faults: [], waiting: 0 });
  });

  test('is extended by several servers at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, place) => record(`group ${place}`)));
    await Promise.all(Array.from({ length: 8 }, chain));
    expect(await verify()).toMatchObject({ faults: [], waiting: 0 });
  });

  test('has no claims of the console, which are deleted with the login log', async () => {
    const before = (await verify()).checked;
    await testApp.db.insert(auditRecords).values({
      actor: 'a@b.org',
      audit_type: 'OpenSocial',
      action: 'delete',
      description: 'delete owner',
      claimed_user: 'a@b.org',
    });
    await chain();
    expect(await verify()).toMatchObject({ faults: [], checked: before, waiting: 0 });
  });

  test('cannot be changed by the program', async () => {
    await expect(testApp.db.update(auditChain).set({ record_id: 0 })).rejects.toThrow();
    await expect(testApp.db.delete(auditChain)).rejects.toThrow();
  });
});

describe('the verification finds', () => {
  test.for([
    [
      'a changed actor',
      sql`update audit_records set actor = 'somebody else' where id = (select max(id) from audit_records)`,
    ],
    [
      'a changed value',
      sql`update audit_records set old_data = jsonb_set(old_data, '{name}', '"Ete"') where old_data is not null`,
    ],
    ['another network', sql`update audit_records set network_id = 1 where network_id is null`],
    ['another time', sql`update audit_records set created_at = created_at - interval '1 microsecond'`],
    ['a record that passes as a claim', sql`update audit_records set claimed_user = '' where network_id is null`],
    ['a deleted record', sql`delete from audit_records where id = (select max(id) from audit_records)`],
    ['the first record deleted', sql`delete from audit_records where id = (select min(id) from audit_records)`],
    [
      'the oldest records deleted with their links',
      sql`with gone as (delete from audit_chain where position <= 2 returning record_id)
        delete from audit_records using gone where id = record_id`,
    ],
    [
      'the oldest records deleted like the retention does it',
      sql`with gone as (delete from audit_chain where position < 2 returning record_id)
        delete from audit_records where id in (select record_id from audit_chain where position <= 2)`,
    ],
    [
      'records from the middle deleted with their links',
      sql`with gone as (delete from audit_chain where position = 2 returning record_id)
        delete from audit_records using gone where id = record_id`,
    ],
    [
      'a record without the chain',
      sql`insert into audit_records (actor, audit_type, action, description) values ('x', 'OpenSocial', 'update', 'update x')`,
    ],
    ['a forged link', sql`update audit_chain set mac = sha256('x') where position = 1`],
    ['another key', sql`update installation set audit_key = null`],
  ] as const)('%s', async ([, change]) => {
    await behindTheBack(change);
    expect((await verify()).faults).not.toEqual([]);
  });

  test('records that were removed from the end, if a place from the log of the server is given', async () => {
    const { head } = await verify();
    if (!head) throw new Error('The chain is empty.');
    expect((await verify(head)).faults).toEqual([]);
    await behindTheBack(sql`
      with gone as (delete from audit_chain where position = ${head.position} returning record_id)
      delete from audit_records using gone where id = record_id`);
    expect((await verify()).faults).toEqual([]);
    expect((await verify(head)).faults).toEqual([`Position ${head.position} is expected and missing.`]);
    await record('group 5');
    await chain();
    expect((await verify(head)).faults).toEqual([`Position ${head.position} has another MAC than expected.`]);
  });
});

test('the verification finds a record that was once at its position, but after other records', async () => {
  const { head } = await verify();
  if (!head) throw new Error('The chain is empty.');
  await behindTheBack(sql`create table former as select * from audit_chain where position = ${head.position}`);
  await behindTheBack(sql`delete from audit_chain where position >= ${head.position - 1}`);
  await behindTheBack(sql`delete from audit_records where id = ${last - 1}`);
  await record('group 4');
  await chain();
  await behindTheBack(sql`insert into audit_chain select * from former`);
  expect((await verify()).faults).toEqual([`Record ${last} at position ${head.position} was changed.`]);
});

describe('AUDIT_RETENTION_DAYS', () => {
  const age = (id: number, days: number) =>
    behindTheBack(sql`update audit_records set created_at = now() - make_interval(days => ${days}) where id <= ${id}`);

  test('keeps everything if it is 0', async () => {
    await age(last, 4_000);
    const before = await testApp.db.$count(auditRecords);
    await deleteStaleRecords(testApp.parts, 0);
    expect(await testApp.db.$count(auditRecords)).toBe(before);
  });

  test('deletes older records, says so, and leaves a chain that can be verified', async () => {
    testApp = await buildTestApp();
    const old = [await record('group 1'), await record('group 2')];
    await age(old[1] ?? 0, 31);
    const young = await record('group 3');
    await chain();
    const { head } = await verify();
    await deleteStaleRecords(testApp.parts, 30);
    const left = await testApp.db.select().from(auditRecords).orderBy(asc(auditRecords.id));
    expect(left[0]?.id).toBe(young);
    expect(left.at(-1)).toMatchObject({
      actor: 'retention of the audit log',
      description: 'delete audit records',
      old_data: { through: 1 + (head?.position ?? 0) - 2, older_than_days: 30 },
    });
    expect(await verify(...(head ? [head] : []))).toMatchObject({ faults: [], waiting: 0 });

    await deleteStaleRecords(testApp.parts, 30);
    expect(await testApp.db.$count(auditRecords)).toBe(left.length);
    const announced = left.at(-1)?.id ?? 0;
    await age(young, 31);
    await deleteStaleRecords(testApp.parts, 30);
    expect(await testApp.db.$count(auditRecords, eq(auditRecords.id, announced))).toBe(1);
    await record('group 4');
    await chain();
    expect((await verify()).faults).toEqual([]);
  });
});
