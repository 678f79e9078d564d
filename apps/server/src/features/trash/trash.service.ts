import { ApiError, type TrashKind } from '@opensocial/contract';
import { and, eq, lte, type SQL } from 'drizzle-orm';
import type { Transaction } from '../../database/connect.ts';
import { type TrashLink, trash } from '../../database/schema.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { nameOfActor } from '../../identity/actor.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { recordAudits } from '../audit/audit.service.ts';
import { copyRows, isTooLarge } from './trash.copies.queries.ts';
import type { Subject } from './trash.parts.ts';
import {
  deleteEntries,
  hasExpired,
  insertEntry,
  lockEntry,
  lockNextEntries,
  lockPersonEntries,
  type TrashRecord,
} from './trash.queries.ts';

export { findEntryOfRecord, measureTrash } from './trash.queries.ts';

export type Deletion = {
  kind: TrashKind;
  id: number;
  /** The name, by which the list is searched: the email address of a person. */
  label: string;
  detail: string;
  /** The id of the audit record of the deletion. */
  auditId: number;
  /** Whether the account of a person is deleted, and not only their membership. */
  whole?: boolean;
  links?: TrashLink[];
  /** Sentences for those who restore it, about what is not restored. */
  notes?: string[];
  /** The size of an image. */
  bytes?: number;
};

const millisecondsPerDay = 86_400_000;

/**
 * Copies an object and everything that belongs to it to the trash. Call it in the transaction that deletes the object, before the
 * deletion. Returns the id of the entry, or null if nothing is kept, because the trash is off or the object is too large.
 */
export const moveToTrash = async (
  tx: Transaction,
  { config }: Pick<Parts, 'config'>,
  { actor, network }: Pick<Caller, 'actor' | 'network'>,
  deletion: Deletion,
): Promise<number | null> => {
  const { kind, id, label, detail, auditId, whole = true, links = [], notes = [], bytes = 0 } = deletion;
  const days = config.trashRetentionDays;
  if (days === 0) return null;
  const subject: Subject = { kind, id, networkId: network.id, email: label, whole };
  if (await isTooLarge(tx, subject)) return null;
  const entryId = await insertEntry(tx, {
    network_id: network.id,
    kind,
    subject_id: id,
    label,
    detail,
    deleted_by: nameOfActor(actor),
    expires_at: new Date(Date.now() + days * millisecondsPerDay),
    bytes,
    audit_id: auditId,
    links,
    notes,
  });
  await copyRows(tx, entryId, subject);
  return entryId;
};

/** Deletes entries for good. The jobs remove their files, unless something else uses them. */
const purge = async (tx: Transaction, jobs: Jobs, entries: readonly TrashRecord[]): Promise<void> => {
  const files = await deleteEntries(
    tx,
    entries.map(({ id }) => id),
  );
  for (const file of files) await jobs.removeImageFiles(tx, file);
};

/** What an entry is called in an audit record, such as 'site reports.org'. */
export const subjectOf = ({ kind, label }: Pick<TrashRecord, 'kind' | 'label'>): string =>
  kind === 'image' ? 'image' : `${kind} ${label}`;

const purgeAudited = async (tx: Transaction, jobs: Jobs, caller: Caller, entries: readonly TrashRecord[]) => {
  await purge(tx, jobs, entries);
  await recordAudits(
    tx,
    entries.map((entry) => ({
      ...actorOf(caller),
      action: 'delete' as const,
      object: entry.kind,
      subject: `${subjectOf(entry)} from the trash`,
      old_data: { label: entry.label, deleted_by: entry.deleted_by, deleted_at: entry.deleted_at },
    })),
  );
};

export const removeEntry = ({ db, jobs }: Parts, caller: Caller, id: number): Promise<void> =>
  db.transaction(async (tx) => {
    const entry = await lockEntry(tx, caller.network.id, id);
    if (!entry) throw new ApiError('not_found');
    await purgeAudited(tx, jobs, caller, [entry]);
  });

/**
 * Forgets a person who was removed from the network, and joined or left it again by their own decision: an owner must not undo that with a
 * restore.
 */
export const forgetRemovedPerson = async (
  tx: Transaction,
  jobs: Jobs,
  networkId: number,
  email: string,
): Promise<void> => purge(tx, jobs, await lockPersonEntries(tx, networkId, email));

const batchSize = 20;

/** Works on entries in batches with a transaction each, so that nobody waits long for their locks. */
const inBatches = async (
  { db }: Pick<Parts, 'db'>,
  condition: SQL | undefined,
  work: (tx: Transaction, entries: TrashRecord[]) => Promise<void>,
): Promise<void> => {
  for (;;) {
    const count = await db.transaction(async (tx) => {
      const entries = await lockNextEntries(tx, condition, batchSize);
      if (entries.length > 0) await work(tx, entries);
      return entries.length;
    });
    if (count < batchSize) return;
  }
};

/** Deletes what is in the trash of a network now. What is deleted meanwhile stays. */
export const emptyTrash = async (parts: Parts, caller: Caller): Promise<void> =>
  inBatches(parts, and(eq(trash.network_id, caller.network.id), lte(trash.deleted_at, new Date())), (tx, entries) =>
    purgeAudited(tx, parts.jobs, caller, entries),
  );

/** Deletes the entries that have been in the trash for long enough; all of them if nothing is kept any more. */
export const expireTrash = (parts: Pick<Parts, 'db' | 'jobs' | 'config'>): Promise<void> =>
  inBatches(parts, hasExpired(parts.config.trashRetentionDays > 0), (tx, entries) => purge(tx, parts.jobs, entries));
