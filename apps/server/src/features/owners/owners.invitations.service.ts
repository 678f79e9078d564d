import { ApiError, type InvitationLink, type InvitedOwner } from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import type { Caller } from '../../http/actor.ts';
import { canSendMail } from '../../mail/mailer.ts';
import type { Parts } from '../../parts.ts';
import { inviteAgain } from '../users/users.accounts.service.ts';
import { copyInvitation } from '../users/users.links.owner.service.ts';
import { findAccountByEmail, findInvitationForUpdate } from '../users/users.service.ts';
import { findInvitedOwners, findOwner } from './owners.queries.ts';

/**
 * The owners whose invitation is open, for owners of the main network. Whether an address has an account is only disclosed without a mail
 * server, where a link that does not work would disclose it as well (decision 36).
 */
export const listInvited = async ({ db, config }: Parts, networkId: number): Promise<InvitedOwner[]> => {
  const sendsMail = canSendMail(config);
  return (await findInvitedOwners(db, networkId)).map(({ id, owner, hasAccount }) => {
    if (sendsMail) return { id, owner, invite: 'mail' };
    return { id, owner, invite: hasAccount ? 'account' : 'link' };
  });
};

/**
 * Invites an owner of a network again: by mail, or else with a link that the caller hands over. Only an invitation that nobody has
 * accepted: whoever has the link sets the password of the account, so there is none for an address that has an account anywhere.
 */
export const inviteOwnerAgain = async (
  tx: Transaction,
  parts: Parts,
  caller: Caller,
  ownerId: number,
): Promise<InvitationLink | undefined> => {
  const owner = await findOwner(tx, caller.network.id, ownerId);
  if (!owner) throw new ApiError('not_found');
  const invited = await findInvitationForUpdate(tx, caller.network.id, owner.email);
  if (!invited) throw new ApiError('owner_not_invited');
  if (canSendMail(parts.config)) {
    await inviteAgain(tx, parts, caller, invited.id);
    return undefined;
  }
  if (await findAccountByEmail(tx, owner.email)) throw new ApiError('owner_has_account');
  return copyInvitation(tx, parts, caller, invited.id);
};
