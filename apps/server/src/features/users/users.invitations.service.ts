import type { Transaction } from '../../database/connect.ts';
import type { InvitationRequest } from '../../jobs/jobs.ts';
import { setMailToken } from '../../mail/mail-records.ts';
import type { Parts } from '../../parts.ts';
import { renderNetworkMail } from '../templates/templates.service.ts';
import { hasDeclined } from './users.declines.queries.ts';
import { findAccountByEmail, findInvitedForUpdate, type UserRecord } from './users.queries.ts';
import { invitationHours, issueActivation } from './users.service.ts';

type Network = { id: number; name: string };

/**
 * Mails one invitation, as a job. An address without an account gets a link to set its password; the owner of an
 * account is asked to accept the invitation on the profile, addressed by the name that the inviting network entered.
 * Nothing is sent if the invitation is deleted, disabled or accepted by now, or if the person has recently declined one
 * of this network.
 */
export const mailInvitation = async (
  tx: Transaction,
  parts: Parts,
  { userId, networkId, recordId }: InvitationRequest,
): Promise<void> => {
  const invited = await findInvitedForUpdate(tx, networkId, userId);
  if (!invited) return;
  const { user, network } = invited;
  if (await hasDeclined(tx, network.id, user.email)) return;
  if (!user.provisional || !(await findAccountByEmail(tx, user.email))) {
    await mailActivation(tx, parts, user, network, recordId);
    return;
  }
  const recipient = { user_name: user.fullname, email: user.email };
  const mail = await renderNetworkMail(tx, parts, network, 'ex_user_invitation', recipient);
  await parts.jobs.sendMail(tx, { ...mail, ...(recordId !== undefined && { record: { id: recordId } }) });
};

/** Mails the link that activates an account, and returns it. Only the operator may see it besides the recipient. */
export const mailActivation = async (
  tx: Transaction,
  parts: Parts,
  user: UserRecord,
  network: Network,
  recordId?: number,
): Promise<string> => {
  const { token, tokenId, link } = await issueActivation(tx, parts.config.publicUrl, user, network.id);
  const recipient = { user_name: user.fullname, email: user.email, token };
  const record = { kind: 'invitation' as const, networkId: network.id, linkHours: invitationHours, tokenId };
  if (recordId !== undefined) await setMailToken(tx, recordId, tokenId);
  const mail = await renderNetworkMail(tx, parts, network, 'invitation', recipient);
  await parts.jobs.sendMail(tx, { ...mail, record: recordId === undefined ? record : { id: recordId } });
  return link;
};
