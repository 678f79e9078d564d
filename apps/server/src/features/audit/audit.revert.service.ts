import { ApiError, type Revert } from '@opensocial/contract';
import { eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../database/connect.ts';
import { auditRecords } from '../../database/schema.ts';
import type { Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { findLaterChange, findRecord } from './audit.queries.ts';
import { revertibles, type Values } from './audit.revertible.ts';
import { isDifferent } from './audit.service.ts';
import { labelOf } from './words/audit.words.ts';

type Record = NonNullable<Awaited<ReturnType<typeof findRecord>>>;

const impossible = (reason: string): Revert => ({ state: 'impossible', reason });

const ownersText = 'Owners are added and removed under Server Admins only.';

/** Why changes of these actions or objects cannot be reverted. */
const reasons: Readonly<{ [word: string]: string }> = {
  create: 'To undo this, delete what was added where it is listed.',
  restore: 'To undo this, delete it again.',
  view: 'Nothing was changed.',
  claim: 'A console has sent this description. The change itself has a record of its own.',
  owner: ownersText,
  template: 'Email templates keep their own versions. Open the template and choose an earlier one.',
  profile: 'A person has changed their own account. Only they can change it again.',
  image: 'The texts of images are changed in the media library.',
  other: 'Changes of this kind cannot be reverted.',
};

const asValues = (data: unknown): Values =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...data } : {};

/** Only these deletions were in the trash. What is taken away from something can be added there again. */
const wasInTrash = /^delete (?:site|user|group) \S.*$|^delete image$/;
const taken: readonly (readonly [RegExp, string])[] = [
  [/ from the trash$/, 'It was deleted permanently.'],
  [/^delete (?:user|site) of a group$/, 'To undo this, assign the group again.'],
  [/^delete visit of a user/, 'It comes back when the person signs in to the site again.'],
  [/^delete user \S+ sessions$/, 'The person can sign in again.'],
  [/^delete user \S+ second factors$/, 'Only the person can set up second factors again.'],
  [/^delete owner$/, ownersText],
  [/^delete network signing key$/, 'A key that was deleted does not exist any more.'],
  [wasInTrash, 'What was deleted is no longer in the trash.'],
];

const reasonOf = ({ object, action, description, new_data }: Record): string | undefined => {
  if (object === 'claim') return reasons['claim'];
  if (action !== 'delete') return reasons[action] ?? reasons[object];
  if (asValues(new_data)['decision'] !== undefined) return 'A person has decided this. Invite them again to undo it.';
  return taken.find(([pattern]) => pattern.test(description))?.[1] ?? reasons['other'];
};

/** A change that can be reverted in principle: the object and the fields that the change has set. */
const toReversal = (record: Record): { kind: string; id: number; fields: string[] } | string => {
  const { object, subject_key: key } = record;
  const reason = reasonOf(record);
  if (reason !== undefined) return reason;
  const [kind = '', id = '0'] = object === 'desktop' ? ['desktop'] : (key ?? '').split(':');
  const revertible = revertibles[kind];
  const [former, set] = [asValues(record.old_data), asValues(record.new_data)];
  const fields = Object.keys(set).filter((field) => field in former && isDifferent(field, former, set));
  if (!revertible || fields.length === 0) return reasons['other'] ?? '';
  return fields.every((field) => revertible.fields.has(field))
    ? { kind, id: Number(id), fields }
    : revertible.otherwise;
};

/** The values of a row as an audit record contains them. */
const recorded = (row: object): Values => JSON.parse(JSON.stringify(row)) as Values;

const changedSince = (record: Record, fields: readonly string[], row: object): string[] =>
  fields.filter((field) => isDifferent(field, recorded(row), asValues(record.new_data)));

/** Whether a change can be reverted now. Fields that were changed again are listed with who has changed them. */
export const describeRevert = async (db: Queryable, networkId: number, record: Record): Promise<Revert> => {
  const reversal = toReversal(record);
  if (typeof reversal === 'string') return impossible(reversal);
  const row = await revertibles[reversal.kind]?.read(db, networkId, reversal.id);
  if (!row) return impossible('What was changed no longer exists.');
  const changed = changedSince(record, reversal.fields, row);
  if (changed.length === 0) return { state: 'possible' };
  const former = asValues(record.old_data);
  if (reversal.fields.every((field) => !isDifferent(field, recorded(row), former)))
    return impossible('Everything already has the value that it had before this change.');
  const isSame =
    record.subject_key === null
      ? sql`${auditRecords.network_id} = ${networkId} and ${auditRecords.object} = ${record.object}`
      : eq(auditRecords.subject_key, record.subject_key);
  const fields = await Promise.all(
    changed.map(async (field) => {
      const later = await findLaterChange(db, networkId, { id: record.id, field, isSame });
      return {
        field,
        label: labelOf(record.object, field),
        changed_by: later?.changed_by ?? '',
        changed_at: later?.changed_at.toISOString() ?? null,
      };
    }),
  );
  return { state: 'changed', fields };
};

/**
 * Sets the values from before a change, through the same functions as a normal save, with their checks. They compare the locked row once
 * more with what the change has set. Their audit records name the record of the change.
 */
export const revertRecord = async (parts: Parts, caller: Caller, id: number): Promise<void> => {
  const record = await findRecord(parts.db, caller.network.id, id);
  if (!record) throw new ApiError('not_found');
  const reversal = toReversal(record);
  if (typeof reversal === 'string') throw new ApiError('revert_impossible', { message: reversal });
  const { kind, fields } = reversal;
  const revertible = revertibles[kind];
  // The key of a record of this network names an object of this network; it may be gone, or have left it.
  if (!revertible || !(await revertible.read(parts.db, caller.network.id, reversal.id)))
    throw new ApiError('revert_impossible', { message: 'What was changed no longer exists.' });
  const assertCurrent = (row: object) => {
    if (changedSince(record, fields, row).length > 0) throw new ApiError('revert_stale');
  };
  const before = asValues(record.old_data);
  const former = Object.fromEntries(fields.map((field) => [field, before[field]]));
  await revertible.revert(parts, { caller: { ...caller, reverts: record.id }, id: reversal.id, former, assertCurrent });
};
