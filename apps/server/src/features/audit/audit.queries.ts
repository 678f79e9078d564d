import type { AuditObject, Counting } from '@opensocial/contract';
import { and, desc, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { type Period, withinPeriod } from '../../database/days.ts';
import { deleteInBatches } from '../../database/delete-in-batches.ts';
import { contains, containsText, readPage } from '../../database/paging.ts';
import { auditRecords, memberships } from '../../database/schema.ts';
import { type Actor, nameOfActor } from '../../identity/actor.ts';

type Claim = {
  audit_type: string;
  action: string;
  description: string;
  user: string;
  source: string;
  old_data?: unknown;
  new_data?: unknown;
  network_id: number;
  actor: Actor;
  address: string;
};

/**
 * Stores the console's own description of a change. Person, time and IP address come from the server; the rest is a
 * claim.
 */
export const insertClaim = async (db: Queryable, { user, source, actor, address, ...claim }: Claim): Promise<void> => {
  await db.insert(auditRecords).values({
    ...claim,
    actor_id: actor.user.id,
    actor: nameOfActor(actor),
    ip_address: address,
    claimed_user: user,
    claimed_source: source,
  });
};

/**
 * Deletes claims that are older than this many days; 0 keeps them forever. The server's own records are never deleted.
 */
export const deleteStaleClaims = async (db: Queryable, days: number): Promise<void> => {
  if (days === 0) return;
  const isStale = sql`claimed_user is not null and created_at < now() - make_interval(days => ${days}::int)`;
  await deleteInBatches(db, auditRecords, isStale);
};

export type RecordsFilter = {
  networkId: number;
  object?: AuditObject | undefined;
  person?: string | undefined;
  period?: Period | undefined;
  keyword?: string | undefined;
};

const record = {
  id: auditRecords.id,
  object: auditRecords.object,
  action: auditRecords.action,
  description: auditRecords.description,
  subject_key: auditRecords.subject_key,
  old_data: auditRecords.old_data,
  new_data: auditRecords.new_data,
  actor: auditRecords.actor,
  ip_address: auditRecords.ip_address,
  created_at: auditRecords.created_at,
};

/** The search includes the changed data, because only that contains the address of an owner. */
const matchesKeyword = (keyword: string | undefined): SQL | undefined =>
  keyword === undefined
    ? undefined
    : or(
        contains(auditRecords.description, keyword),
        contains(auditRecords.actor, keyword),
        containsText(auditRecords.old_data, keyword),
        containsText(auditRecords.new_data, keyword),
      );

const matching = ({ object, person, period, keyword }: RecordsFilter): SQL | undefined =>
  and(
    object && eq(auditRecords.object, object),
    contains(auditRecords.actor, person),
    withinPeriod(auditRecords.created_at, period),
    matchesKeyword(keyword),
  );

const inNetwork = ({ networkId }: RecordsFilter): SQL => eq(auditRecords.network_id, networkId);

export const readRecords = (
  db: Queryable,
  filter: RecordsFilter,
  page: { counting?: Counting; lastId: number; size: number },
) =>
  readPage(db, auditRecords, record, {
    order: { by: auditRecords.created_at, id: auditRecords.id, descending: true },
    scope: inNetwork(filter),
    match: matching(filter),
    ...page,
  });

/** The place of a record in an export. The time is text, because a `Date` has no microseconds. */
export type RecordPlace = { id: number; moment: string };

/** The next records of an export, newest first, with the values before and after each change. */
export const findRecordsBefore = (db: Queryable, filter: RecordsFilter, place: RecordPlace | undefined, size: number) =>
  db
    .select({
      ...record,
      moment: sql<string>`${auditRecords.created_at}::text`,
    })
    .from(auditRecords)
    .where(
      and(
        inNetwork(filter),
        matching(filter),
        place &&
          sql`(${auditRecords.created_at}, ${auditRecords.id}) < (${place.moment}::timestamptz, ${place.id}::bigint)`,
      ),
    )
    .orderBy(desc(auditRecords.created_at), desc(auditRecords.id))
    .limit(size);

export const findRecord = async (db: Queryable, networkId: number, id: number) => {
  const [found] = await db
    .select({
      ...record,
      audit_type: auditRecords.audit_type,
      claimed_user: auditRecords.claimed_user,
      claimed_source: auditRecords.claimed_source,
      reverts_id: auditRecords.reverts_id,
      actor_id: nested<number | null>(
        sql`(select ${memberships.user_id} from ${memberships}
          where ${memberships.user_id} = ${auditRecords.actor_id} and ${memberships.network_id} = ${networkId})`,
      ).mapWith((value) => (value === null ? null : Number(value))),
    })
    .from(auditRecords)
    .where(and(eq(auditRecords.id, id), eq(auditRecords.network_id, networkId)));
  return found;
};

/** The last change of a field of a record since an audit record. People who acted in another network are not named. */
export const findLaterChange = async (
  db: Queryable,
  networkId: number,
  { id, field, isSame }: { id: number; field: string; isSame: SQL },
) => {
  const [found] = await db
    .select({
      changed_by: sql<string>`case when ${auditRecords.network_id} = ${networkId} then ${auditRecords.actor} else '' end`,
      changed_at: auditRecords.created_at,
    })
    .from(auditRecords)
    .where(and(isSame, gt(auditRecords.id, id), sql`${auditRecords.new_data} ? ${field}`))
    .orderBy(desc(auditRecords.id))
    .limit(1);
  return found;
};
