import { type ActionState, ApiError, type NetworkMode, type UserSecurity } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { isPerson } from '../../identity/actor.ts';
import { canSendMail } from '../../mail/mailer.ts';
import { factorsResetNotice, signedOutNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit, recordOwnAudit } from '../audit/audit.service.ts';
import { countRecoveryCodes } from '../mfa/mfa.service.ts';
import { findLockEnd } from '../sign-in/sign-in.service.ts';
import { type Reach, reachOf } from './users.accounts.service.ts';
import {
  endSessions,
  endSessionsIn,
  findMember,
  findUserForUpdate,
  type Member,
  type UserRecord,
} from './users.queries.ts';
import {
  confirmAddress,
  countPasskeys,
  deleteFactors,
  deleteLinkedLogins,
  findFactors,
  findSessionsOfMember,
} from './users.security.queries.ts';
import { assertMailBudget } from './users.service.ts';
import { countSitesOfUser } from './users.sites.queries.ts';

/** Whether an owner may reset the second factors of an account: only if no other network relies on them. */
const canResetFactors = async (db: Queryable, caller: Caller, user: UserRecord): Promise<boolean> =>
  !isPerson(caller.actor, user.id) && (await reachOf(db, caller, user)) === 'account';

/** How many sites of a person are counted. */
const countedSites = 1_000;

type Facts = {
  user: UserRecord;
  member: Member;
  reach: Reach;
  isSelf: boolean;
  isHome: boolean;
  sendsMail: boolean;
  hasSessions: boolean;
  hasFactors: boolean;
  isLocked: boolean;
};

const invitationState = ({ user, member, reach, sendsMail }: Facts): ActionState => {
  if (!user.provisional && (member.status === 'Confirmed' || reach !== 'account')) return 'not_needed';
  if (member.user_mode !== 'Active') return 'inactive';
  return sendsMail ? 'possible' : 'no_mail';
};

const linkState = ({ user, member, sendsMail }: Facts): ActionState => {
  if (!user.provisional) return 'not_needed';
  if (member.user_mode !== 'Active') return 'inactive';
  return sendsMail ? 'by_mail' : 'possible';
};

const resetState = ({ user, member, sendsMail }: Facts): ActionState => {
  if (user.provisional) return 'not_needed';
  if (member.user_mode !== 'Active' || member.status !== 'Confirmed') return 'inactive';
  return sendsMail ? 'possible' : 'no_mail';
};

/** Whether an action on the whole account is possible. */
const wholeState = ({ reach, isSelf }: Facts, isNeeded: boolean): ActionState => {
  if (reach === 'membership') return 'shared';
  if (!isNeeded) return 'not_needed';
  return isSelf ? 'self' : 'possible';
};

const modeState = ({ reach, isHome, isSelf }: Facts, isNeeded: boolean): ActionState => {
  if (!isNeeded) return 'not_needed';
  if (isSelf) return 'self';
  return reach === 'membership' && !isHome ? 'elsewhere' : 'possible';
};

const actionStates = (facts: Facts): UserSecurity['actions'] => ({
  invite: invitationState(facts),
  copy_link: linkState(facts),
  send_reset: resetState(facts),
  unlock: wholeState({ ...facts, isSelf: false }, facts.isLocked),
  sign_out: facts.hasSessions ? 'possible' : 'not_needed',
  reset_factors: wholeState(facts, facts.hasFactors),
  disable: modeState(facts, facts.member.user_mode === 'Active'),
  enable: modeState(facts, facts.member.user_mode !== 'Active'),
});

/** What an owner sees of the security of a member. Facts about an account that other networks rely on are left out. */
export const readSecurity = async (
  { db, config }: Pick<Parts, 'db' | 'config'>,
  caller: Caller & { network: { mode: NetworkMode } },
  user: UserRecord,
): Promise<UserSecurity> => {
  const { network } = caller;
  const member = await findMember(db, network.id, user.id);
  if (!member) throw new ApiError('not_found');
  const reach = await reachOf(db, caller, user);
  const everywhere = reach === 'account';
  const sessions = await findSessionsOfMember(db, network.id, user.id, everywhere);
  const factors = everywhere ? await findFactors(db, user.id) : [];
  const lockEnd = everywhere ? await findLockEnd(db, user) : null;
  const sites = await countSitesOfUser(db, network, user.id, countedSites + 1);
  const facts: Facts = {
    user,
    member,
    reach,
    isSelf: isPerson(caller.actor, user.id),
    isHome: user.home_network_id === network.id,
    sendsMail: canSendMail(config),
    hasSessions: sessions.length > 0,
    hasFactors: factors.length > 0,
    isLocked: lockEnd !== null,
  };
  return {
    sessions: sessions.map(presentSession),
    everywhere,
    factors,
    passkeys: everywhere ? await countPasskeys(db, user.id) : 0,
    recovery_codes: everywhere ? await countRecoveryCodes(db, user.id) : 0,
    may_reset: factors.length > 0 && (await canResetFactors(db, caller, user)),
    locked_until: lockEnd?.toISOString() ?? null,
    sites: Math.min(sites, countedSites),
    more_sites: sites > countedSites,
    sends_mail: facts.sendsMail,
    address_unproven: everywhere && user.address_unproven,
    actions: actionStates(facts),
  };
};

type SessionRow = Awaited<ReturnType<typeof findSessionsOfMember>>[number];

const presentSession = ({ session, sites }: SessionRow): UserSecurity['sessions'][number] => ({
  id: session.id,
  ip_address: session.ip_address ?? '',
  user_agent: session.user_agent ?? '',
  signed_in: session.authenticated_at.toISOString(),
  last_seen: session.last_seen_at.toISOString(),
  sites,
});

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
    const notice = signedOutNotice(config.publicUrl, caller.network.name, everywhere);
    await jobs.sendMail(tx, {
      to: user.email,
      ...notice,
      record: { kind: 'signed_out', networkId: caller.network.id },
    });
  }
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'delete',
    object: 'user',
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
  const notice = factorsResetNotice(config.publicUrl, caller.network.name);
  await jobs.sendMail(tx, {
    to: user.email,
    ...notice,
    record: { kind: 'factors_reset', networkId: caller.network.id },
  });
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'delete',
    object: 'user',
    subject: `user ${user.email} second factors`,
    old_data: { factors },
  });
};

/**
 * A mailed link was used, so the mailbox belongs to the person. If the account was activated by a link that an owner has copied, somebody
 * else may have used it: everything with which that person could still sign in is removed. The caller sets a new password, which ends the
 * sessions.
 */
export const proveAddress = async (tx: Transaction, userId: number, address: string): Promise<void> => {
  const confirmed = await confirmAddress(tx, userId);
  if (!confirmed) return;
  await deleteFactors(tx, userId);
  await deleteLinkedLogins(tx, userId);
  await recordOwnAudit(tx, confirmed, address, { subject: 'own address', new_data: { confirmed: true } });
};
