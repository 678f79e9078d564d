import { ApiError, type User, type UserChange, type UserDraft } from '@opensocial/contract';
import type { z } from 'zod';
import type { Transaction } from '../../database/connect.ts';
import { actorOf, type By } from '../../http/actor.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { assertGroupsOf, insertGroupUser } from '../groups/groups.service.ts';
import { assertOwnersRemain, findEffectiveOwners, tellOfRemovedOwner } from '../owners/owners.service.ts';
import { removePictures } from '../profile/profile.pictures.service.ts';
import { unlockAccount } from '../sign-in/sign-in.service.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import {
  deleteInvitations,
  deleteMembership,
  deleteUser,
  endSessions,
  findMember,
  findOldestMembership,
  findUserByEmail,
  lockUser,
  type Member,
  moveSessions,
  type UserRecord,
  updateUser,
} from './users.queries.ts';
import { invite, joinNetwork } from './users.service.ts';

export const toUser = (member: Member, networkId: number, invited: boolean): User => ({
  ...toRow(member),
  global_user: 'local',
  sso_server_id: networkId,
  groups: member.groups,
  invited,
});

export const toRow = ({
  created_at,
  last_login_at,
  bypass_inactivity,
  home_network_id: _home,
  ...row
}: Omit<Member, 'groups'>) => ({
  ...row,
  bypass_inactivity: bypass_inactivity ? ('Yes' as const) : ('No' as const),
  created: created_at.toISOString(),
  last_login: last_login_at?.toISOString() ?? null,
});

/** Somebody new: an account that waits for its password, or a member of another network who joins this one. */
export const inviteUser = async (
  tx: Transaction,
  parts: Parts,
  by: By,
  draft: Pick<z.output<typeof UserDraft>, 'email' | 'firstname' | 'lastname' | 'groups'>,
): Promise<Member> => {
  const { network } = by;
  await assertGroupsOf(tx, network.id, draft.groups);
  const known = await findUserByEmail(tx, draft.email);
  const { user, isNew } = await joinNetwork(tx, network.id, draft.email);
  if (!isNew) throw new ApiError('user_exists');
  // Whoever has an account already has a name of their own.
  if (!known) await updateUser(tx, user.id, { firstname: draft.firstname, lastname: draft.lastname });
  for (const { id } of draft.groups) await insertGroupUser(tx, id, user.id);
  const member = await findMember(tx, network.id, user.id);
  if (!member) throw new Error('A member that was just made is gone.');
  const { fullname } = member;
  if (known?.status === 'Confirmed') {
    const recipient = { user_name: fullname, email: user.email };
    await parts.jobs.sendMail(tx, await renderNetworkMail(tx, parts, network, 'ex_user_invitation', recipient));
  } else await invite(tx, parts, [{ ...user, fullname }], network);
  await recordAudit(tx, {
    ...actorOf(by),
    action: 'create',
    subject: `user ${user.email}`,
    new_data: { email: user.email, fullname, groups: member.groups.map(({ name }) => name) },
  });
  return member;
};

/** The account, held; and only if it was made in a network of the caller's own. */
export const lockOwnUser = async (tx: Transaction, by: By, userId: number): Promise<UserRecord> => {
  const user = await lockUser(tx, userId);
  if (!user) throw new ApiError('not_found');
  if (user.home_network_id !== by.network.id) throw new ApiError('user_elsewhere');
  return user;
};

const toColumns = {
  Active: { user_mode: 'Active' },
  Disable: { user_mode: 'Disable' },
  Confirmed: { status: 'Confirmed' },
  NonConfirmed: { status: 'NonConfirmed' },
} as const satisfies Record<UserChange, object>;

/** Sets mode or status. An account that may not sign in any more is signed out at once, everywhere. */
export const applyChange = async (tx: Transaction, by: By, userId: number, change: UserChange): Promise<void> => {
  const isShutOut = change === 'Disable' || change === 'NonConfirmed';
  if (isShutOut && userId === by.user.id) throw new ApiError('user_self');
  const user = await lockOwnUser(tx, by, userId);
  // Opening an account also ends the lock of too many bad attempts.
  if (change === 'Active') await unlockAccount(tx, user);
  const columns = toColumns[change];
  const before = 'status' in columns ? { status: user.status } : { user_mode: user.user_mode };
  if (JSON.stringify(before) === JSON.stringify(columns)) return;
  if (isShutOut) {
    await assertOwnersRemain(tx, user.email);
    await endSessions(tx, userId);
  }
  await updateUser(tx, userId, { ...columns, ...(change === 'Active' && { reopened_at: new Date() }) });
  await recordAudit(tx, {
    ...actorOf(by),
    action: 'update',
    subject: `user ${user.email}`,
    old_data: before,
    new_data: columns,
  });
};

/** Ends a membership; an account that is left with no network goes too. */
export const removeMember = async (
  tx: Transaction,
  parts: Parts,
  by: By,
  userId: number,
  uid: string,
): Promise<void> => {
  const { network } = by;
  if (userId === by.user.id) throw new ApiError('user_self');
  const user = await lockUser(tx, userId);
  if (user?.uid !== uid) throw new ApiError('not_found');
  await assertOwnersRemain(tx, user.email, network.id);
  const owners = await findEffectiveOwners(tx, network.id);
  await deleteMembership(tx, network.id, user);
  const left = await findOldestMembership(tx, userId);
  // Else the owner of any network could sign out everybody, by inviting them and removing them again.
  if (left === undefined || user.home_network_id === network.id) await endSessions(tx, userId);
  if (left === undefined) {
    await removePictures(tx, parts, userId);
    await deleteUser(tx, userId);
  } else {
    const stays = (networkId: number) => (networkId === network.id ? left : networkId);
    await moveSessions(tx, userId, network.id, stays(user.default_network_id));
    await updateUser(tx, userId, {
      home_network_id: stays(user.home_network_id),
      default_network_id: stays(user.default_network_id),
    });
  }
  await recordAudit(tx, {
    ...actorOf(by),
    action: 'delete',
    subject: `user ${user.email}`,
    old_data: { email: user.email, fullname: user.fullname, account: left === undefined ? 'deleted' : 'kept' },
  });
  if (owners.includes(user.email)) await tellOfRemovedOwner(tx, parts, by, owners, user.email);
};

/** Another link for somebody who has not used the first; the first stops working. */
export const inviteAgain = async (tx: Transaction, parts: Parts, by: By, userId: number): Promise<void> => {
  const user = await lockUser(tx, userId);
  if (!user) throw new ApiError('not_found');
  if (user.password_hash !== null) throw new ApiError('user_confirmed');
  await deleteInvitations(tx, userId);
  await invite(tx, parts, [user], by.network);
  await recordAudit(tx, { ...actorOf(by), action: 'update', subject: `invitation of ${user.email}` });
};
