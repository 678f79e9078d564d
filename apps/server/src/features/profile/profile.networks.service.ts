import { ApiError, type Invitation, type OwnNetwork } from '@opensocial/contract';
import type { Queryable, Transaction } from '../../database/connect.ts';
import type { networks } from '../../database/schema.ts';
import { markInvitationAccepted } from '../../mail/mail-records.ts';
import type { Parts } from '../../parts.ts';
import { recordAudit } from '../audit/audit.service.ts';
import {
  assertOwnersRemain,
  findEffectiveOwners,
  findNetworksOfOneOwner,
  isListedAsOwner,
  notifyOfRemovedOwner,
} from '../owners/owners.service.ts';
import { assertFreshSignIn, assertOpen } from '../session/session.service.ts';
import { forgetRemovedPerson } from '../trash/trash.service.ts';
import { endMembership } from '../users/users.accounts.service.ts';
import {
  findInvitationForUpdate,
  findMembership,
  findOtherNetwork,
  findUserForUpdate,
  insertDecline,
  mergeInvitation,
  type UserRecord,
  updateMembership,
} from '../users/users.service.ts';
import { deleteOwnership, findInvitations, findNetworkNamed, findOwnNetworks } from './profile.networks.queries.ts';
import type { SignedInCaller } from './profile.service.ts';

type Network = typeof networks.$inferSelect;

export const listNetworks = async (
  db: Queryable,
  user: { id: number; email: string },
): Promise<{ networks: OwnNetwork[]; invitations: Invitation[] }> => {
  const networks = await findOwnNetworks(db, user);
  const waiting = await findInvitations(db, user);
  const owned = networks.filter(({ isOwner }) => isOwner).map(({ id }) => id);
  const keptAlone = new Set(await findNetworksOfOneOwner(db, owned));
  return {
    networks: networks.map(({ id, server, isOwner, isHome, joined }) => ({
      server,
      role: isOwner ? 'admin' : 'user',
      home: isHome,
      last_owner: keptAlone.has(id),
      joined: joined.toISOString(),
    })),
    invitations: waiting.map(({ server, isOwner, invited }) => ({
      server,
      owner: isOwner,
      invited: invited.toISOString(),
    })),
  };
};

/**
 * Runs a user's decision about a network with their account locked, and records it in the audit log of that network.
 * The record contains no IP address, and no account id if the user declines.
 */
const decide = (
  { db }: Parts,
  caller: SignedInCaller,
  server: string,
  work: (tx: Transaction, network: Network, account: UserRecord) => Promise<void>,
  audited: { action: 'update' | 'delete'; decision: string; isMember: boolean },
): Promise<void> =>
  db.transaction(async (tx) => {
    const network = await findNetworkNamed(tx, server);
    const account = await findUserForUpdate(tx, caller.user.id);
    if (!network || !account) throw new ApiError('not_found');
    await assertOpen(tx, caller.actor);
    await work(tx, network, account);
    await recordAudit(tx, {
      network_id: network.id,
      actor: audited.isMember ? caller.actor : { kind: 'system', name: 'invited person' },
      action: audited.action,
      object: 'user',
      subject: `user ${account.email}`,
      new_data: { decision: audited.decision },
    });
  });

export const accept = (parts: Parts, caller: SignedInCaller, server: string): Promise<void> =>
  decide(
    parts,
    caller,
    server,
    async (tx, network, account) => {
      const invitation = await findInvitationForUpdate(tx, network.id, account.email);
      if (invitation && account.address_unproven) throw new ApiError('address_unproven');
      await markInvitationAccepted(tx, network.id, account.email);
      await forgetRemovedPerson(tx, parts.jobs, network.id, account.email);
      if (invitation) return mergeInvitation(tx, network.id, invitation.id, account.id);
      await getUnconfirmed(tx, network.id, account.id);
      await updateMembership(tx, network.id, account.id, { status: 'Confirmed' });
    },
    { action: 'update', decision: 'accepted the invitation', isMember: true },
  );

/**
 * Declines an invitation, including an ownership that came with it. The network cannot contact the person for a while;
 * its owners do not notice this.
 */
export const decline = (parts: Parts, caller: SignedInCaller, server: string): Promise<void> =>
  decide(
    parts,
    caller,
    server,
    async (tx, network, account) => {
      const invitation = await findInvitationForUpdate(tx, network.id, account.email);
      await insertDecline(tx, network.id, account.email);
      if (!invitation) {
        await getUnconfirmed(tx, network.id, account.id);
        return endOwnMembership(tx, parts, caller, network, account);
      }
      await deleteOwnership(tx, network.id, account.email);
      await endMembership(tx, parts, network.id, invitation);
    },
    { action: 'delete', decision: 'declined the invitation', isMember: false },
  );

export const leave = (parts: Parts, caller: SignedInCaller, server: string): Promise<void> =>
  decide(
    parts,
    caller,
    server,
    async (tx, network, account) => {
      const membership = await findMembership(tx, network.id, account.id);
      // A disabled member cannot leave, because joining again would lift the restriction.
      if (membership?.user_mode !== 'Active') throw new ApiError('not_found');
      await endOwnMembership(tx, parts, caller, network, account);
    },
    { action: 'delete', decision: 'left the network', isMember: true },
  );

/** Asserts that an owner has asked the member to confirm the membership again. */
const getUnconfirmed = async (tx: Transaction, networkId: number, userId: number): Promise<void> => {
  const membership = await findMembership(tx, networkId, userId);
  if (membership?.status !== 'NonConfirmed' || membership.user_mode !== 'Active') throw new ApiError('not_found');
};

const endOwnMembership = async (
  tx: Transaction,
  parts: Parts,
  caller: SignedInCaller,
  network: Network,
  account: UserRecord,
): Promise<void> => {
  if (await isListedAsOwner(tx, account.email, network.id)) assertFreshSignIn(caller.actor);
  if ((await findOtherNetwork(tx, account.id, network.id)) === undefined) throw new ApiError('last_network');
  await assertOwnersRemain(tx, account.email, network.id);
  const effective = await findEffectiveOwners(tx, network.id);
  await endMembership(tx, parts, network.id, account);
  await forgetRemovedPerson(tx, parts.jobs, network.id, account.email);
  if (effective.includes(account.email))
    await notifyOfRemovedOwner(tx, parts, { ...caller, network }, effective, account.email);
};
