import { ApiError, NetworkName } from '@opensocial/contract';
import type { Transaction } from '../../database/connect.ts';
import { networkSettings, networks, owners, signingKeys } from '../../database/schema.ts';
import type { Parts } from '../../parts.ts';
import { makeSigningKey } from '../../secrets/signing-keys.ts';
import { newUid } from '../../secrets/tokens.ts';
import { type Actor, recordAudit } from '../audit/audit.service.ts';
import { ensureMember, invite, makeActivationLink } from '../users/users.service.ts';

export {
  findCertificates,
  findMainCertificates,
  findNetworkByName,
  findNetworkOf,
  isMemberOf,
  isOwnerOf,
  mainNetworkName,
  ownsMainNetwork,
} from './networks.queries.ts';

type Network = typeof networks.$inferSelect;

/** A network with its settings and its own signing key. */
export const createNetwork = async (tx: Transaction, { vault }: Parts, name: string, by?: Actor): Promise<Network> => {
  const key = await makeSigningKey(name);
  const [network] = await tx
    .insert(networks)
    .values({ name: NetworkName.parse(name), sso_id: newUid() })
    .onConflictDoNothing({ target: networks.name })
    .returning();
  if (!network) throw new ApiError('network_exists');
  await tx.insert(networkSettings).values({ network_id: network.id });
  await tx.insert(signingKeys).values({
    network_id: network.id,
    state: 'current',
    private_key: vault.encrypt(key.privateKey),
    certificate: key.certificate,
  });
  await recordAudit(tx, {
    network_id: network.id,
    ...by,
    action: 'create',
    subject: 'network',
    new_data: { name },
  });
  return network;
};

/**
 * Makes an address an owner. Whoever has no confirmed account yet gets a link to set a password, by mail and as the answer:
 * only then is the ownership in effect.
 */
export const addOwner = async (
  tx: Transaction,
  parts: Parts,
  network: Network,
  email: string,
  options: { withMail: boolean; by?: Actor },
): Promise<{ link: string | undefined; isNew: boolean }> => {
  const user = await ensureMember(tx, network.id, email);
  const { rowCount } = await tx.insert(owners).values({ network_id: network.id, email }).onConflictDoNothing();
  const isNew = rowCount === 1;
  if (isNew) {
    await recordAudit(tx, {
      network_id: network.id,
      ...options.by,
      action: 'create',
      subject: 'owner',
      new_data: { owner: email },
    });
  }
  if (user.status === 'Confirmed') return { link: undefined, isNew };
  return {
    isNew,
    link: options.withMail
      ? (await invite(tx, parts, [user], network))[0]
      : await makeActivationLink(tx, parts.config.publicUrl, user, network.id),
  };
};
