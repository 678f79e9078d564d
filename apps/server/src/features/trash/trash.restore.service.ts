import { ApiError, type ErrorCode } from '@opensocial/contract';
import { type Transaction, violates } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { isAccountCopied, lockTargets, restoreRows } from './trash.copies.queries.ts';
import { findGoneTargets } from './trash.gone.service.ts';
import { type Adjustment, partsOf } from './trash.parts.ts';
import { assertPersonFree, isOwnershipCopied, notifyOfRestoredOwner } from './trash.people.service.ts';
import { deleteEntries, lockEntry, restoreLink, type TrashRecord } from './trash.queries.ts';
import { subjectOf } from './trash.service.ts';
import { adjustSite } from './trash.sites.service.ts';

/** What something else has taken meanwhile, by the unique constraint that refuses the restored row. */
const conflicts: Readonly<Record<string, ErrorCode>> = {
  sites__identity: 'site_identity_taken',
  sites__acs: 'site_acs_taken',
  groups__network_id__name: 'group_name_taken',
  users__email: 'person_changed',
  users__email__home_network_id: 'user_returned',
  passkeys__credential_id: 'person_changed',
  social_identities__provider__subject: 'person_changed',
  memberships_pkey: 'user_returned',
};

const rethrowConflict = (cause: unknown): never => {
  const taken = Object.entries(conflicts).find(([constraint]) => violates(cause, constraint));
  throw taken ? new ApiError(taken[1], { cause }) : cause;
};

/**
 * Inserts a deleted object again, with everything that belonged to it. The entry is locked first, so that a second restore, or a permanent
 * deletion at the same time, finds nothing. Returns sentences about what could not be restored.
 */
export const restoreEntry = (parts: Parts, caller: Caller, id: number): Promise<string[]> =>
  parts.db
    .transaction(async (tx) => {
      const entry = await lockEntry(tx, caller.network.id, id);
      if (!entry) throw new ApiError('not_found');
      const isOwner = await assertRestorable(tx, caller, entry);
      const notes = [...(await restoreParts(tx, caller.network.id, entry)), ...(await restoreLinks(tx, entry))];
      if (isOwner) await notifyOfRestoredOwner(tx, parts, caller, entry.label);
      await deleteEntries(tx, [entry.id]);
      await recordAudit(tx, {
        ...actorOf(caller),
        action: 'restore',
        object: entry.kind,
        subject: subjectOf(entry),
        new_data: { label: entry.label, deleted_by: entry.deleted_by, deleted_at: entry.deleted_at, notes },
      });
      return notes;
    })
    .catch(rethrowConflict);

/** A restored site gets assertions again, and a restored owner has power over the network. Both need a fresh sign-in. */
const assertRestorable = async (tx: Transaction, caller: Caller, entry: TrashRecord): Promise<boolean> => {
  if (entry.kind === 'site') assertFreshSignIn(caller.actor);
  if (entry.kind !== 'user') return false;
  await assertPersonFree(tx, caller.network.id, entry);
  const isOwner = await isOwnershipCopied(tx, entry.id);
  if (isOwner) assertFreshSignIn(caller.actor);
  return isOwner;
};

const unadjusted: Adjustment = { overrides: {}, notes: [] };

const restoreParts = async (tx: Transaction, networkId: number, entry: TrashRecord): Promise<string[]> => {
  const whole = entry.kind !== 'user' || (await isAccountCopied(tx, entry.id));
  const copied = partsOf({ kind: entry.kind, whole });
  for (const part of copied) await lockTargets(tx, entry.id, networkId, part);
  const { notes, hasLostGroups } = await findGoneTargets(tx, entry, copied);
  const adjusted = entry.kind === 'site' ? await adjustSite(tx, entry, hasLostGroups) : unadjusted;
  for (const part of copied) {
    const overrides = { ...part.overrides?.(), ...(part === copied[0] && adjusted.overrides) };
    await restoreRows(tx, { entry, part, overrides });
  }
  return [...notes, ...adjusted.notes];
};

/** Restores the fields of other rows that named the object, if they are as the deletion has left them. */
const restoreLinks = async (tx: Transaction, entry: TrashRecord): Promise<string[]> => {
  const notes = [...entry.notes];
  for (const link of entry.links)
    if (!(await restoreLink(tx, entry.network_id, link)) && link.label !== undefined)
      notes.push(`The ${link.label} was changed since the deletion, so it stays as it is.`);
  return notes;
};
