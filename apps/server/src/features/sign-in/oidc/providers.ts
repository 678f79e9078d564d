import { eq, sql } from 'drizzle-orm';
import type Provider from 'oidc-provider';
import { type Database, prepared } from '../../../database/connect.ts';
import { networks } from '../../../database/schema.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { loadKeys } from './keys.ts';
import { createProvider } from './provider.ts';

const maximumProviders = 500;

const networkByName = prepared((db) =>
  db
    .select()
    .from(networks)
    .where(eq(networks.name, sql.placeholder('name')))
    .prepare('oidc_network'),
);

export const findNetwork = async (db: Database, name: string): Promise<Network | undefined> => {
  const [found] = await networkByName(db).execute({ name });
  return found;
};

type Held = { provider: Promise<Provider>; version: number };

/** The provider of a network. */
export type ProviderFor = (network: Network) => Promise<Provider>;

/**
 * Keeps the providers of networks. One is made again if the network has changed, which a change of its keys counts as. A provider holds
 * nothing about sites.
 */
export const createProviders = (parts: SignInParts): ProviderFor => {
  const held = new Map<number, Held>();

  const make = (network: Network): Held => ({
    provider: loadKeys(parts, network.id).then((keys) => createProvider(parts, { network, keys })),
    version: network.version,
  });

  return (network) => {
    const former = held.get(network.id);
    const current = former?.version === network.version ? former : make(network);
    held.delete(network.id);
    held.set(network.id, current);
    const [oldest] = held.keys();
    if (held.size > maximumProviders && oldest !== undefined) held.delete(oldest);
    // A failure, such as a database that is away, must not be kept.
    current.provider.catch(() => held.get(network.id) === current && held.delete(network.id));
    return current.provider;
  };
};
