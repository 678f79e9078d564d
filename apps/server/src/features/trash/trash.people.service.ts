import { ApiError } from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import { owners } from '../../database/schema.ts';
import type { Caller } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { findEffectiveOwners, notifyOwners } from '../owners/owners.service.ts';
import { findMemberByEmail, findUserForUpdate, hasDeclinedSince } from '../users/users.service.ts';
import { findRootRow, isAccountCopied } from './trash.copies.queries.ts';
import type { TrashRecord } from './trash.queries.ts';

/**
 * Refuses to restore a person who is in the network again, whose account no longer exists, or who has declined an invitation of the network
 * since: a restore must not replace their decision. The last two have the same message, because owners must not learn which it is.
 */
export const assertPersonFree = async (tx: Transaction, networkId: number, entry: TrashRecord): Promise<void> => {
  const isCopied = await isAccountCopied(tx, entry.id);
  if (!isCopied && !(await findUserForUpdate(tx, entry.subject_id))) throw new ApiError('person_changed');
  if (await findMemberByEmail(tx, networkId, entry.label)) throw new ApiError('user_returned');
  if (await hasDeclinedSince(tx, networkId, entry.label, entry.deleted_at)) throw new ApiError('person_changed');
};

/** Whether the deletion has ended an ownership, which the restore gives back. */
export const isOwnershipCopied = async (tx: Transaction, entryId: number): Promise<boolean> =>
  (await findRootRow(tx, entryId, owners)) !== undefined;

export const notifyOfRestoredOwner = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  email: string,
): Promise<void> =>
  notifyOwners(tx, parts, caller, await findEffectiveOwners(tx, caller.network.id), {
    title: `An owner of ${caller.network.name} was restored`,
    event: `${email} is an owner of ${caller.network.name} again.`,
    label: 'See the owners',
    path: 'admins',
  });
