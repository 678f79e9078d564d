import { ApiError, type InvitationLink } from '@opensocial/contract';
import { setPasswordLink } from '@opensocial/contract/mail';
import type { Config } from '../../config.ts';
import type { Transaction } from '../../database/connect.ts';
import { actorOf, type Caller } from '../../http/actor.ts';
import { markInvitationsEnded } from '../../mail/mail-records.ts';
import { canSendMail } from '../../mail/mailer.ts';
import { resetByOwnerNotice } from '../../mail/notices.ts';
import type { Parts } from '../../parts.ts';
import { type ChangedBy, recordAudit } from '../audit/audit.service.ts';
import { deleteInvitations, findMember, findUserForUpdate, type Member, type UserRecord } from './users.queries.ts';
import { assertMailBudget, invitationHours, issueActivation, issueTokens } from './users.service.ts';

const resetHours = 1;

/** Locks a member or an invitation. */
const getTarget = async (
  tx: Transaction,
  networkId: number,
  userId: number,
): Promise<{ user: UserRecord; member: Member }> => {
  const user = await findUserForUpdate(tx, userId);
  const member = await findMember(tx, networkId, userId);
  if (!user || !member) throw new ApiError('not_found');
  return { user, member };
};

/**
 * Mails a member a link to set a new password, on behalf of an owner. The owner does not see the link, and anybody can cause the same mail on
 * a sign-in page, so it is possible for people of every home network.
 */
export const mailReset = async (tx: Transaction, parts: Parts, caller: Caller, userId: number): Promise<void> => {
  const { user, member } = await getTarget(tx, caller.network.id, userId);
  if (user.provisional || member.status !== 'Confirmed' || member.user_mode !== 'Active')
    throw new ApiError('user_not_ready');
  if (!canSendMail(parts.config)) throw new ApiError('user_mail_missing');
  await assertMailBudget(tx, caller.network.id, [user.email]);
  // A new password follows the rules of the person's home network.
  const request = { userId, networkId: user.home_network_id, purpose: 'reset' as const, hours: resetHours };
  const [issued] = await issueTokens(tx, [request]);
  const link = setPasswordLink(parts.config.publicUrl, { email: user.email, token: issued?.token ?? '' });
  const { id: networkId, name } = caller.network;
  const record = { kind: 'reset_by_owner' as const, networkId, linkHours: resetHours, tokenId: issued?.tokenId };
  await parts.jobs.sendMail(tx, { to: user.email, ...resetByOwnerNotice(name, link), record });
  await recordAudit(tx, {
    ...actorOf(caller),
    action: 'update',
    object: 'user',
    subject: `user ${user.email} password link`,
  });
};

/**
 * A link that accepts an invitation, for an owner to hand over. Only while the service sends no mail, and only for an invitation: an
 * account that somebody has used is out of reach. The account that the link creates has an unconfirmed address (decision 36).
 */
export const copyInvitation = async (
  tx: Transaction,
  { config }: Parts,
  caller: Caller,
  userId: number,
): Promise<InvitationLink> => {
  const { user, member } = await getTarget(tx, caller.network.id, userId);
  if (!user.provisional) throw new ApiError('user_confirmed');
  if (canSendMail(config)) throw new ApiError('user_link_refused');
  if (member.user_mode !== 'Active') throw new ApiError('user_not_ready');
  return replaceLink(tx, config, actorOf(caller), user);
};

/**
 * The same link for somebody who is just being made an owner, so that it need not be looked for in the outbox folder. Undefined where an
 * owner could not copy it either.
 */
export const offerInvitation = async (
  tx: Transaction,
  { config }: Parts,
  changedBy: ChangedInNetwork,
  userId: number,
): Promise<InvitationLink | undefined> => {
  if (canSendMail(config)) return undefined;
  const { user, member } = await getTarget(tx, changedBy.network_id, userId);
  return user.provisional && member.user_mode === 'Active' ? replaceLink(tx, config, changedBy, user) : undefined;
};

type ChangedInNetwork = ChangedBy & { network_id: number };

const replaceLink = async (
  tx: Transaction,
  { publicUrl }: Config,
  changedBy: ChangedInNetwork,
  user: UserRecord,
): Promise<InvitationLink> => {
  await deleteInvitations(tx, user.id);
  await markInvitationsEnded(tx, changedBy.network_id, user.email);
  const { link } = await issueActivation(tx, publicUrl, user, changedBy.network_id, { isCopied: true });
  await recordAudit(tx, { ...changedBy, action: 'view', object: 'user', subject: `invitation of ${user.email}` });
  return { link, expires: new Date(Date.now() + invitationHours * 3_600_000).toISOString() };
};
