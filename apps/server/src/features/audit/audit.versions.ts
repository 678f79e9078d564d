import { ConflictError } from '@opensocial/contract';
import { and, eq, gt, max, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';

/** The key of a record that forms edit. */
export type SubjectKey = `${'site' | 'group' | 'user' | 'settings' | 'network'}:${number}`;

/**
 * The version of a record: the id of the newest audit record about it, or 0. Read it before the record, or while the
 * record is locked: a version that is newer than the values would hide a change.
 */
export const readVersion = async (db: Queryable, subject: SubjectKey): Promise<number> => {
  const [newest] = await db
    .select({ id: max(auditRecords.id) })
    .from(auditRecords)
    .where(eq(auditRecords.subject_key, subject));
  return newest?.id ?? 0;
};

type Save = {
  subject: SubjectKey;
  /** The caller's network. People who acted in another network are not named. */
  networkId: number;
  /** The version that the save is based on; without one, the save overwrites newer changes. */
  version: number | undefined;
};

/**
 * Refuses a save that would overwrite changes by others since its version. Fields that are saved with their current
 * value are no conflict. The record must be locked, so that nobody changes it between this check and the save.
 */
export const assertUnchanged = async <Row extends object>(
  tx: Queryable,
  { subject, networkId, version }: Save,
  current: Row,
  changes: Partial<Row>,
): Promise<void> => {
  if (version === undefined) return;
  const overwritten = new Set(Object.keys(changes).filter((key) => isDifferent(key, current, changes)));
  if (overwritten.size === 0) return;
  const changed = await findChanged(tx, subject, version, [...overwritten]);
  if (changed.length === 0) return;
  const [last] = await tx
    .select({ network_id: auditRecords.network_id, actor: auditRecords.actor, created_at: auditRecords.created_at })
    .from(auditRecords)
    .where(eq(auditRecords.id, Math.max(...changed.map(({ lastId }) => lastId))));
  if (!last) throw new Error('The newest audit record of the changed fields was not found.');
  throw new ConflictError({
    changed_by: last.network_id === networkId ? last.actor : '',
    changed_at: last.created_at.toISOString(),
    fields: changed.map(({ field }) => field),
  });
};

/**
 * Returns the given fields that have changed since a version, in the order of their first change, with the last record
 * of each. The database compares them: a caller may name a version from long ago, and the records since then may be
 * large.
 */
const findChanged = async (tx: Queryable, subject: SubjectKey, version: number, fields: string[]) => {
  const { rows } = await tx.execute<{ field: string; last_id: string }>(sql`
    select field, max(id) as last_id from ${auditRecords} cross join unnest(${sql.param(fields)}::text[]) as field
    where ${and(eq(auditRecords.subject_key, subject), gt(auditRecords.id, version))} and new_data ? field
      and ${orNull(sql`new_data`)} is distinct from ${orNull(sql`old_data`)}
    group by field order by min(id), field`);
  return rows.map(({ field, last_id }) => ({ field, lastId: Number(last_id) }));
};

/** A field of a record, with null for values that `isDifferent` treats as null. */
const orNull = (data: SQL): SQL =>
  sql`case when ${data} -> field in ('null', '""', 'false', '0') then null else ${data} -> field end`;

/** Whether a field of two rows differs. Missing values, empty strings, `false` and 0 are the same. */
export const isDifferent = (key: string, one: object, other: object): boolean => {
  const [left, right] = [one, other].map((row) => (row as Record<string, unknown>)[key]);
  // Forms send an empty string for null.
  return JSON.stringify(left || null) !== JSON.stringify(right || null);
};
