import { ConflictError } from '@opensocial/contract';
import { and, asc, eq, gt, max } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';

/** A record that forms edit, as audit records name it. */
export type SubjectKey = `${'site' | 'group' | 'user' | 'settings' | 'network'}:${number}`;

/**
 * The version of a record: the id of the newest audit record about it, 0 if there is none. Read it before the record, or while the
 * record is locked: a version that is newer than the values beside it would hide a change.
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
  /** The caller's network. Who acted in another network is not told. */
  networkId: number;
  /** The version that the save is based on; without one the save overwrites whatever is there. */
  version: number | undefined;
};

/**
 * Refuses a save that would overwrite what somebody else has changed since its version. Fields that are saved with the value they have
 * are no conflict. The record must be locked, so that nobody changes it between this check and the save.
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
  const records = await tx
    .select()
    .from(auditRecords)
    .where(and(eq(auditRecords.subject_key, subject), gt(auditRecords.id, version)))
    .orderBy(asc(auditRecords.id));
  const conflicts = records
    .map((record) => ({ ...record, fields: changedFields(record).filter((field) => overwritten.has(field)) }))
    .filter(({ fields }) => fields.length > 0);
  const last = conflicts.at(-1);
  if (!last) return;
  throw new ConflictError({
    changed_by: last.network_id === networkId ? last.actor : '',
    changed_at: last.created_at.toISOString(),
    fields: [...new Set(conflicts.flatMap(({ fields }) => fields))],
  });
};

const isDifferent = (key: string, one: object, other: object): boolean => {
  const [left, right] = [one, other].map((row) => (row as Record<string, unknown>)[key]);
  // A form sends an empty text where the database has null.
  return JSON.stringify(left || null) !== JSON.stringify(right || null);
};

const changedFields = ({ old_data, new_data }: Pick<typeof auditRecords.$inferSelect, 'old_data' | 'new_data'>) => {
  const [before, after] = [Object(old_data) as object, Object(new_data) as object];
  return Object.keys(after).filter((key) => isDifferent(key, before, after));
};
