import { ApiError, type UserSecurity } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { isPerson } from '../../identity/actor.ts';
import { factorsResetNotice, signedOutNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import { reachOf } from './users.accounts.service.ts';
import { endSessions, endSessionsIn, findUserForUpdate, type UserRecord } from './users.queries.ts';
import { deleteFactors, findFactors, findSessionsOfMember } from './users.security.queries.ts';
import { assertMailBudget } from './users.service.ts';

/** Whether an owner may reset the second factors of an account: only if no other network relies on them. */
const canResetFactors = async (db: Queryable, caller: Caller, user: UserRecord): Promise<boolean> =>
  !isPerson(caller.actor, user.id) && (await reachOf(db, caller, user)) === 'account';

export const readSecurity = async (db: Queryable, caller: Caller, user: UserRecord): Promise<UserSecurity> => {
  const everywhere = (await reachOf(db, caller, user)) === 'account';
  const sessions = await findSessionsOfMember(db, caller.network.id, user.id, everywhere);
  const factors = everywhere ? await findFactors(db, user.id) : [];
  return {
    sessions: sessions.map(({ session, sites }) => ({
      id: session.id,
      ip_address: session.ip_address ?? '',
      user_agent: session.user_agent ?? '',
      signed_in: session.authenticated_at.toISOString(),
      last_seen: session.last_seen_at.toISOString(),
      sites,
    })),
    everywhere,
    factors,
    may_reset: factors.length > 0 && (await canResetFactors(db, caller, user)),
  };
};

/** Locks the member that a help desk action is about. */
const getTargetForUpdate = async (tx: Transaction, userId: number): Promise<UserRecord> => {
  const user = await findUserForUpdate(tx, userId);
  if (!user) throw new ApiError('not_found');
  return user;
};

/** Signs a member out of the network, or everywhere if it is their only network, and notifies them by mail. */
export const endMemberSessions = async (
  tx: Transaction,
  { jobs, config }: Parts,
  caller: Caller,
  userId: number,
): Promise<void> => {
  const user = await getTargetForUpdate(tx, userId);
  const everywhere = (await reachOf(tx, caller, user)) === 'account';
  if (everywhere) await endSessions(tx, jobs, userId);
  else await endSessionsIn(tx, jobs, caller.network.id, userId);
  // An invitation has no sessions, and nobody has to be notified.
  if (!user.provisional) {
    await assertMailBudget(tx, caller.network.id, [user.email]);
    await jobs.sendMail(tx, { to: user.email, ...signedOutNotice(config.publicUrl, caller.network.name, everywhere) });
  }
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'delete',
    subject: `user ${user.email} sessions`,
    old_data: { sessions: everywhere ? 'everywhere' : 'in this network' },
  });
};

/** Removes the second factors of a person who has lost them, signs them out everywhere and notifies them by mail. */
export const resetFactors = async (
  tx: Transaction,
  { jobs, config }: Parts,
  caller: Caller,
  userId: number,
): Promise<void> => {
  const user = await getTargetForUpdate(tx, userId);
  if (isPerson(caller.actor, userId)) throw new ApiError('user_self');
  if (!(await canResetFactors(tx, caller, user))) throw new ApiError('factors_personal');
  const factors = await findFactors(tx, userId);
  if (factors.length === 0) throw new ApiError('mfa_inactive');
  await assertMailBudget(tx, caller.network.id, [user.email]);
  await deleteFactors(tx, userId);
  await endSessions(tx, jobs, userId);
  await jobs.sendMail(tx, { to: user.email, ...factorsResetNotice(config.publicUrl, caller.network.name) });
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'delete',
    subject: `user ${user.email} second factors`,
    old_data: { factors },
  });
};
