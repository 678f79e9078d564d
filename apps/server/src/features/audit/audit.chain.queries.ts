import { and, asc, desc, eq, gt, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { auditChain, auditChainWaiting, auditRecords, installation, networks } from '../../database/schema.ts';
import { mainNetworkName } from '../../identity/membership.ts';

/**
 * Everything that the MAC of a record covers, as text, so that it does not depend on how a driver reads types. The id comes first. A claim
 * is never chained: `claimed_user` is covered, because a record would pass as a claim with it, and claims may be deleted.
 */
const content = sql<string>`jsonb_build_array(
  ${auditRecords.id}, ${auditRecords.network_id}, ${auditRecords.actor_id}, ${auditRecords.actor}, ${auditRecords.audit_type},
  ${auditRecords.action}, ${auditRecords.description}, ${auditRecords.old_data}, ${auditRecords.new_data},
  ${auditRecords.ip_address}::text, ${auditRecords.subject_key}, ${auditRecords.reverts_id}, ${auditRecords.claimed_user},
  ${auditRecords.claimed_source}, to_char(${auditRecords.created_at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text`;

/** One server at a time extends the chain. Reading it is not affected. */
export const lockChain = (tx: Transaction) => tx.execute(sql`lock table ${auditChain} in share row exclusive mode`);

export const findAuditKey = async (db: Queryable): Promise<Buffer | undefined> =>
  (await db.select({ key: installation.audit_key }).from(installation))[0]?.key ?? undefined;

export const storeAuditKey = (tx: Transaction, sealed: Buffer) => tx.update(installation).set({ audit_key: sealed });

export const findMainNetworkId = async (db: Queryable): Promise<number | null> =>
  (await db.select({ id: networks.id }).from(networks).where(eq(networks.name, mainNetworkName)))[0]?.id ?? null;

export const findHead = async (db: Queryable) =>
  (await db.select().from(auditChain).orderBy(desc(auditChain.position)).limit(1))[0];

/** Takes the oldest records that wait, with their content. */
export const takeWaiting = async (tx: Transaction, size: number): Promise<{ id: number; content: string }[]> => {
  const oldest = tx
    .select({ id: auditChainWaiting.record_id })
    .from(auditChainWaiting)
    .orderBy(auditChainWaiting.record_id)
    .limit(size);
  const taken = await tx
    .delete(auditChainWaiting)
    .where(inArray(auditChainWaiting.record_id, oldest))
    .returning({ id: auditChainWaiting.record_id });
  const ids = taken.map(({ id }) => id);
  return tx
    .select({ id: auditRecords.id, content })
    .from(auditRecords)
    .where(sql`${auditRecords.id} = any(${sql.param(ids)}::bigint[])`)
    .orderBy(asc(auditRecords.id));
};

export const insertLinks = (tx: Transaction, links: (typeof auditChain.$inferInsert)[]) =>
  tx.insert(auditChain).values(links);

/** The links of the chain after a position, with the content of their records; null if a record is gone. */
export const findLinks = (db: Queryable, after: number, size: number) =>
  db
    .select({
      position: auditChain.position,
      record_id: auditChain.record_id,
      mac: auditChain.mac,
      content: sql<string | null>`case when ${auditRecords.id} is null then null else ${content} end`,
      description: auditRecords.description,
      data: auditRecords.old_data,
    })
    .from(auditChain)
    .leftJoin(auditRecords, eq(auditRecords.id, auditChain.record_id))
    .where(sql`${auditChain.position} > ${after}`)
    .orderBy(asc(auditChain.position))
    .limit(size);

const isChained = sql`exists (select from ${auditChain} where ${auditChain.record_id} = ${auditRecords.id})`;
const isWaiting = sql`exists (select from ${auditChainWaiting} where ${auditChainWaiting.record_id} = ${auditRecords.id})`;

export const countWaiting = (db: Queryable): Promise<number> => db.$count(auditChainWaiting);

/** The records that are neither in the chain nor wait for it. */
export const findUnchained = (db: Queryable, size: number) =>
  db
    .select({ id: auditRecords.id })
    .from(auditRecords)
    .where(and(isNull(auditRecords.claimed_user), sql`not ${isChained}`, sql`not ${isWaiting}`))
    .orderBy(asc(auditRecords.id))
    .limit(size);

/** The oldest links, and whether their records are older than some days. A link whose record was deleted is the start of the chain. */
export const findOldest = (tx: Transaction, days: number, size: number) =>
  tx
    .select({
      position: auditChain.position,
      record_id: auditChain.record_id,
      isStale: sql<boolean | null>`${auditRecords.created_at} < ${before(days)}`,
    })
    .from(auditChain)
    .leftJoin(auditRecords, eq(auditRecords.id, auditChain.record_id))
    .orderBy(asc(auditChain.position))
    .limit(size);

const before = (days: number): SQL => sql`now() - make_interval(days => ${days}::int)`;

/** Deletes records and their links, but keeps the last link, which the next one is chained to. */
export const deleteOldest = async (tx: Transaction, recordIds: readonly number[], last: number): Promise<void> => {
  await tx.execute(sql`set local opensocial.audit_retention = 'on'`);
  await tx.delete(auditRecords).where(sql`${auditRecords.id} = any(${sql.param(recordIds)}::bigint[])`);
  await tx.delete(auditChain).where(sql`${auditChain.position} < ${last}`);
  await tx.execute(sql`set local opensocial.audit_retention = 'off'`);
};

/** A batch of all records by id, claims included, with their places in the chain. */
export const findRecordsAfter = (db: Queryable, after: number, since: Date | undefined, size: number) =>
  db
    .select({ record: auditRecords, network: networks.name, position: auditChain.position, mac: auditChain.mac })
    .from(auditRecords)
    .leftJoin(networks, eq(networks.id, auditRecords.network_id))
    .leftJoin(auditChain, eq(auditChain.record_id, auditRecords.id))
    .where(and(gt(auditRecords.id, after), since && gte(auditRecords.created_at, since)))
    .orderBy(asc(auditRecords.id))
    .limit(size);
