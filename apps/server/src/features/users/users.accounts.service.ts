import { ApiError, type User, type UserChange, type UserDraft, type UserRow } from '@opensocial/contract';
import type { z } from 'zod';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { isPerson } from '../../identity/actor.ts';
import { mainNetworkName } from '../../identity/membership.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { markInvitationsEnded } from '../../mail/mail-records.ts';
import { accessNotice, unlockedNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { assertUnchanged, recordAudit } from '../audit/audit.service.ts';
import { assertGroupsOf, insertGroupUser } from '../groups/groups.service.ts';
import {
  assertOwnersRemain,
  findEffectiveOwners,
  isListedAsOwner,
  notifyOfRemovedOwner,
} from '../owners/owners.service.ts';
import { removePictures } from '../profile/profile.pictures.service.ts';
import { assertFreshSignIn } from '../session/session.service.ts';
import { findLockEnd, unlockAccount } from '../sign-in/sign-in.service.ts';
import { type Deletion, moveToTrash } from '../trash/trash.service.ts';
import {
  deleteInvitations,
  deleteMembership,
  deleteUser,
  endSessions,
  endSessionsIn,
  findMember,
  findMemberByEmail,
  findMembership,
  findOtherNetwork,
  findUserForUpdate,
  hasOtherNetwork,
  type Member,
  moveSessions,
  type readUsers,
  type UserRecord,
  updateMembership,
  updateUser,
} from './users.queries.ts';
import { insertInvitations, notifyMember, sendInvitations } from './users.service.ts';

export const toUser = (member: Member, networkId: number, version: number): User => ({
  ...toRow(member),
  photoURL: member.picture ?? '',
  global_user: 'local',
  sso_server_id: networkId,
  groups: member.groups,
  invited: member.provisional,
  version,
});

const toRow = ({
  created_at,
  last_login_at,
  bypass_inactivity,
  home_network_id: _home,
  provisional: _provisional,
  ...row
}: Omit<Member, 'groups' | 'picture'>) => ({
  ...row,
  bypass_inactivity: bypass_inactivity ? ('Yes' as const) : ('No' as const),
  created: created_at.toISOString(),
  last_login: last_login_at?.toISOString() ?? null,
});

type ListedUser = Awaited<ReturnType<typeof readUsers>>['rows'][number];

export const toListedRow = ({ factors, group_names, group_count, ...row }: ListedUser): UserRow => ({
  ...toRow(row),
  factors,
  group_names,
  group_count,
});

/** Invites a person. The answer and the new row do not reveal whether they have an account. */
export const inviteUser = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  draft: Pick<z.output<typeof UserDraft>, 'email' | 'firstname' | 'lastname' | 'groups'>,
): Promise<Member> => {
  const { network } = caller;
  await assertGroupsOf(tx, network.id, draft.groups);
  if (await findMemberByEmail(tx, network.id, draft.email)) throw new ApiError('user_exists');
  const [user] = await insertInvitations(tx, network.id, [draft]);
  if (!user) throw new ApiError('user_exists');
  for (const { id } of draft.groups) await insertGroupUser(tx, id, user.id);
  await sendInvitations(tx, parts, [user], network);
  const member = await findMember(tx, network.id, user.id);
  if (!member) throw new Error('The invited member was not found.');
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'create',
    object: 'user',
    subject: `user ${user.email}`,
    new_data: { email: user.email, fullname: member.fullname, groups: member.groups.map(({ name }) => name) },
  });
  return member;
};

/**
 * How far an owner's decision about a person reaches. An invitation belongs to the network. A whole account can be
 * changed only by its home network if it belongs to no other, or by an owner of the main network. Otherwise a network
 * decides about its own membership.
 */
export type Reach = 'invitation' | 'membership' | 'account';

export const reachOf = async (
  db: Queryable,
  { network }: Pick<Caller, 'network'>,
  user: Pick<UserRecord, 'id' | 'provisional' | 'home_network_id'>,
): Promise<Reach> => {
  if (user.provisional) return 'invitation';
  if (network.name === mainNetworkName) return 'account';
  const isOnlyNetwork = user.home_network_id === network.id && !(await hasOtherNetwork(db, user.id, network.id));
  return isOnlyNetwork ? 'account' : 'membership';
};

/**
 * Locks the account or invitation until the transaction ends, and returns how far the caller's decisions reach. A
 * person whose home is another network cannot be changed: their membership can only be ended.
 */
export const getMemberForUpdate = async (
  tx: Transaction,
  caller: Caller,
  userId: number,
): Promise<{ user: UserRecord; reach: Reach }> => {
  const user = await findUserForUpdate(tx, userId);
  if (!user) throw new ApiError('not_found');
  const reach = await reachOf(tx, caller, user);
  if (reach === 'membership' && user.home_network_id !== caller.network.id) throw new ApiError('user_elsewhere');
  return { user, reach };
};

/** The names of a person who belongs to other networks too are the person's own. */
export const assertNamesOwned = (reach: Reach): void => {
  if (reach === 'membership') throw new ApiError('names_personal');
};

/** Changes the names of a locked account or invitation. */
export const renameUser = async (
  tx: Transaction,
  caller: Caller,
  user: UserRecord,
  names: { firstname: string; lastname: string },
  version?: number,
): Promise<void> => {
  const subject = `user:${user.id}` as const;
  await assertUnchanged(tx, { subject, networkId: caller.network.id, version }, user, names);
  await updateUser(tx, user.id, names);
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'user',
    subject: `user ${user.email}`,
    subject_key: subject,
    old_data: { firstname: user.firstname, lastname: user.lastname },
    new_data: names,
  });
};

/**
 * Requires a fresh sign-in for every change that takes rights from an owner or restores them. Ownerships of other
 * networks count only for an owner of the main network, who acts on the whole account; others must not learn about
 * them.
 */
const assertFreshSignInIfOwner = async (tx: Transaction, { actor, network }: Caller, email: string): Promise<void> => {
  const isMain = network.name === mainNetworkName;
  if (await isListedAsOwner(tx, email, isMain ? undefined : network.id)) assertFreshSignIn(actor);
};

const toColumns = {
  Active: { user_mode: 'Active' },
  Disable: { user_mode: 'Disable' },
  Confirmed: { status: 'Confirmed' },
  NonConfirmed: { status: 'NonConfirmed' },
} as const satisfies Record<UserChange, object>;

/** Sets mode or status, as far as the caller's decision reaches. Affected sessions end at once. */
export const applyChange = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  userId: number,
  change: UserChange,
): Promise<void> => {
  const revokesAccess = change === 'Disable' || change === 'NonConfirmed';
  if (revokesAccess && isPerson(caller.actor, userId)) throw new ApiError('user_self');
  const { user, reach } = await getMemberForUpdate(tx, caller, userId);
  await assertFreshSignInIfOwner(tx, caller, user.email);
  if (change === 'Active' && reach === 'account') await unlock(tx, parts, caller, user);
  const columns = toColumns[change];
  const membership = await findMembership(tx, caller.network.id, userId);
  if (!membership) throw new ApiError('not_found');
  const currentValues = (row: UserRecord | typeof membership) =>
    'status' in columns ? { status: row.status } : { user_mode: row.user_mode };
  const before = { account: currentValues(user), membership: currentValues(membership) };
  const isSame = (row: object) => JSON.stringify(row) === JSON.stringify(columns);
  const changesAccount = reach !== 'membership' && !isSame(before.account);
  const changesMembership = (reach === 'membership' || !revokesAccess) && !isSame(before.membership);
  if (!changesAccount && !changesMembership) return;
  if (revokesAccess) await revokeAccess(tx, parts.jobs, caller, user, reach);
  if (changesAccount)
    await updateUser(tx, userId, { ...columns, ...(change === 'Active' && { reopened_at: new Date() }) });
  if (changesMembership) await updateMembership(tx, caller.network.id, userId, columns);
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'user',
    subject: `user ${user.email}`,
    old_data: changesAccount ? before.account : before.membership,
    new_data: columns,
  });
  if ('user_mode' in columns && !user.provisional)
    await notifyMember(tx, parts, caller.network, user.email, {
      kind: change === 'Active' ? 'enabled' : 'disabled',
      ...accessNotice(parts.config.publicUrl, caller.network.name, change === 'Active', reach === 'account'),
    });
};

/**
 * Activating an account also ends the lock after too many failed attempts. This resets the limit for an attacker too,
 * so it needs a fresh sign-in and leaves an audit record. If other networks rely on the lock, it stays.
 */
const unlock = async (tx: Transaction, parts: Parts, caller: Caller, user: UserRecord): Promise<void> => {
  const isLocked = (await findLockEnd(tx, user)) !== null;
  if (!(await unlockAccount(tx, user))) return;
  assertFreshSignIn(caller.actor);
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'user',
    subject: `user ${user.email}`,
    new_data: { unlocked: true },
  });
  if (!isLocked) return;
  const notice = unlockedNotice(parts.config.publicUrl, caller.network.name);
  await notifyMember(tx, parts, caller.network, user.email, { kind: 'unlocked', ...notice });
};

const revokeAccess = async (
  tx: Transaction,
  jobs: Jobs,
  { network }: Caller,
  user: UserRecord,
  reach: Reach,
): Promise<void> => {
  if (reach === 'invitation') return;
  await assertOwnersRemain(tx, user.email, reach === 'account' ? undefined : network.id);
  if (reach === 'account') await endSessions(tx, jobs, user.id);
  else await endNetworkSessions(tx, jobs, network.id, user);
};

/**
 * Ends the sessions of a user in a network that they may no longer use; their console sessions switch to another
 * network.
 */
const endNetworkSessions = async (tx: Transaction, jobs: Jobs, networkId: number, user: UserRecord): Promise<void> => {
  await endSessionsIn(tx, jobs, networkId, user.id);
  const other = await findOtherNetwork(tx, user.id, networkId);
  if (other === undefined) return;
  await moveSessions(tx, user.id, networkId, other);
  if (user.default_network_id === networkId) await updateUser(tx, user.id, { default_network_id: other });
};

/** Ends a membership. An account without any network is deleted. Returns the id of the entry in the trash. */
export const removeMember = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  userId: number,
  uid: string,
): Promise<number | null> => {
  const { network } = caller;
  if (isPerson(caller.actor, userId)) throw new ApiError('user_self');
  const user = await findUserForUpdate(tx, userId);
  if (user?.uid !== uid) throw new ApiError('not_found');
  await assertFreshSignInIfOwner(tx, caller, user.email);
  await assertOwnersRemain(tx, user.email, network.id);
  const owners = await findEffectiveOwners(tx, network.id);
  const auditId = await recordAudit(tx, {
    ...actorOf(caller),
    action: 'delete',
    object: 'user',
    subject: `user ${user.email}`,
    old_data: { email: user.email, fullname: user.fullname },
  });
  let trashId: number | null = null;
  await endMembership(tx, parts, network.id, user, async (other) => {
    trashId = await moveToTrash(tx, parts, caller, toDeletion(network.id, user, other, auditId));
  });
  if (owners.includes(user.email)) await notifyOfRemovedOwner(tx, parts, caller, owners, user.email);
  return trashId;
};

/** A person who belongs to another network, `other`, gets it as their home and default network where those were this one. */
const toDeletion = (networkId: number, user: UserRecord, other: number | undefined, auditId: number): Deletion => {
  const moved = (['home_network_id', 'default_network_id'] as const).filter((column) => user[column] === networkId);
  return {
    kind: 'user',
    id: user.id,
    label: user.email,
    detail: user.fullname,
    auditId,
    whole: other === undefined,
    links:
      other === undefined
        ? []
        : moved.map((column) => ({ table: 'users', column, id: user.id, value: networkId, expected: other })),
  };
};

/**
 * Ends everything that belongs to a membership. An account without another network is deleted. `onEnd` is called after the sessions have
 * ended and before rows are deleted.
 */
export const endMembership = async (
  tx: Transaction,
  parts: Parts,
  networkId: number,
  user: UserRecord,
  onEnd?: (other: number | undefined) => Promise<void>,
): Promise<void> => {
  await endNetworkSessions(tx, parts.jobs, networkId, user);
  const other = await findOtherNetwork(tx, user.id, networkId);
  await onEnd?.(other);
  await deleteMembership(tx, networkId, user);
  if (other === undefined) {
    await endSessions(tx, parts.jobs, user.id);
    await removePictures(tx, parts, user.id);
    await deleteUser(tx, user.id);
  } else if (user.home_network_id === networkId) await updateUser(tx, user.id, { home_network_id: other });
};

/** Sends another invitation to a person who has not accepted yet; the earlier link of this network stops working. */
export const inviteAgain = async (tx: Transaction, parts: Parts, caller: Caller, userId: number): Promise<void> => {
  const user = await findUserForUpdate(tx, userId);
  if (!user) throw new ApiError('not_found');
  if (!user.provisional && (user.status === 'Confirmed' || (await reachOf(tx, caller, user)) !== 'account'))
    throw new ApiError('user_confirmed');
  await deleteInvitations(tx, userId);
  await markInvitationsEnded(tx, caller.network.id, user.email);
  await sendInvitations(tx, parts, [user], caller.network);
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'user',
    subject: `invitation of ${user.email}`,
  });
};
