import { ApiError, type InvitationLink, NetworkName } from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import { networkSettings, networks, owners, type users } from '../../database/schema.ts';
import { nameOfActor } from '../../identity/actor.ts';
import type { Parts } from '../../parts.ts';
import { makeSigningKey } from '../../secrets/signing-keys.ts';
import { newUid } from '../../secrets/tokens.ts';
import { type ChangedBy, commandLine, recordAudit } from '../audit/audit.service.ts';
import { insertKey } from '../signing-keys/signing-keys.service.ts';
import { mailActivation } from '../users/users.invitations.service.ts';
import { offerInvitation } from '../users/users.links.owner.service.ts';
import {
  findAccountByEmail,
  findInvitationForUpdate,
  findMemberByEmail,
  insertInvitations,
  issueActivation,
  joinNetwork,
  mergeInvitation,
  sendInvitations,
} from '../users/users.service.ts';
import { firstOwnedAt } from './networks.queries.ts';

export {
  findCertificates,
  findMainCertificates,
  findNetworkByName,
  findNetworkOf,
  findPublishedKeys,
} from './networks.queries.ts';

type Network = typeof networks.$inferSelect;

/** Creates a network with its settings and its own signing key. */
export const createNetwork = async (
  tx: Transaction,
  { vault }: Parts,
  name: string,
  changedBy = commandLine,
): Promise<Network> => {
  const key = await makeSigningKey(name);
  const [network] = await tx
    .insert(networks)
    .values({ name: NetworkName.parse(name), sso_id: newUid() })
    .onConflictDoNothing({ target: networks.name })
    .returning();
  if (!network) throw new ApiError('network_exists');
  await tx.insert(networkSettings).values({ network_id: network.id });
  await insertKey(tx, network.id, 'current', key, vault.encrypt(key.privateKey));
  await recordAudit(tx, {
    network_id: network.id,
    ...changedBy,
    action: 'create',
    object: 'network',
    subject: 'network',
    new_data: { name },
  });
  return network;
};

type User = typeof users.$inferSelect;

/**
 * Makes an address an owner. The ownership takes effect once the person is a member. A person who is not a member yet gets an invitation by
 * mail and has to accept it. No consent is needed on the command line, or if people add themselves: the account joins the network at
 * once. The command line gets the activation link. An owner gets it only if the service sends no mail (decision 36).
 */
export const addOwner = async (
  tx: Transaction,
  parts: Parts,
  network: Network,
  email: string,
  options: { withMail: boolean; changedBy?: ChangedBy },
): Promise<{ isNew: boolean; user: User } & InvitedOwner> => {
  const { withMail, changedBy = commandLine } = options;
  const needsConsent = changedBy.actor.kind !== 'system' && nameOfActor(changedBy.actor) !== email;
  const user = needsConsent
    ? await ensureInvited(tx, network, email)
    : ((await joinOwnAccount(tx, network, email)) ?? (await ensureInvited(tx, network, email)));
  const { rowCount } = await tx
    .insert(owners)
    .values({ network_id: network.id, email, created_at: firstOwnedAt(network.id, email) })
    .onConflictDoNothing();
  const isNew = rowCount === 1;
  if (isNew) {
    await recordAudit(tx, {
      network_id: network.id,
      ...changedBy,
      action: 'create',
      object: 'owner',
      subject: 'owner',
      new_data: { owner: email },
    });
  }
  return {
    isNew,
    user,
    ...(user.provisional && (await inviteOwner(tx, parts, network, user, { withMail, changedBy }))),
  };
};

/** The link as it is printed on the command line, or as an owner may copy it. */
type InvitedOwner = { link?: string; invitation?: InvitationLink | undefined };

const inviteOwner = async (
  tx: Transaction,
  parts: Parts,
  network: Network,
  user: User,
  { withMail, changedBy }: { withMail: boolean; changedBy: ChangedBy },
): Promise<InvitedOwner> => {
  if (changedBy.actor.kind !== 'system') {
    const invitation = await offerInvitation(tx, parts, { ...changedBy, network_id: network.id }, user.id);
    await sendInvitations(tx, parts, [user], network);
    return { invitation };
  }
  if (withMail) return { link: await mailActivation(tx, parts, user, network) };
  return { link: (await issueActivation(tx, parts.config.publicUrl, user, network.id)).link };
};

const joinOwnAccount = async (tx: Transaction, network: Network, email: string): Promise<User | undefined> => {
  const account = await findAccountByEmail(tx, email);
  // An owner of another network may have activated an account with this address. It is invited, and has to confirm the address first.
  if (!account || account.address_unproven) return undefined;
  const invitation = await findInvitationForUpdate(tx, network.id, email);
  if (invitation) await mergeInvitation(tx, network.id, invitation.id, account.id);
  else await joinNetwork(tx, network.id, account.id);
  return account;
};

/** Finds the member or the invitation with an address, or creates an invitation. */
const ensureInvited = async (tx: Transaction, network: Network, email: string): Promise<User> => {
  const known = await findMemberByEmail(tx, network.id, email);
  if (known) return known;
  const [invited] = await insertInvitations(tx, network.id, [{ email, firstname: '', lastname: '' }]);
  const user = invited ?? (await findMemberByEmail(tx, network.id, email));
  if (!user) throw new Error('The insert returned no invitation.');
  return user;
};
