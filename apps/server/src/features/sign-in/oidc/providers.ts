import { eq, sql } from 'drizzle-orm';
import type Provider from 'oidc-provider';
import { type Database, prepared } from '../../../database/connect.ts';
import { networks } from '../../../database/schema.ts';
import type { Destination, Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import { customClaimsOf } from './claims.ts';
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

type Held = { provider: Promise<Provider>; version: number; customClaims: ReadonlySet<string> };

/** The provider of a network, for the site of a request if it is known. */
export type ProviderFor = (network: Network, destination?: Destination) => Promise<Provider>;

/**
 * Keeps the providers of networks. One is made again if the network has changed, which a change of its keys counts as, or if a site has a
 * claim that the provider does not know yet. The names of claims are the only thing about sites that a provider holds.
 */
export const createProviders = (parts: SignInParts): ProviderFor => {
  const held = new Map<number, Held>();

  const make = (network: Network, claims: readonly string[]): Held => {
    const provider = loadKeys(parts, network.id).then((keys) =>
      createProvider(parts, { network, keys, customClaims: claims }),
    );
    return { provider, version: network.version, customClaims: new Set(claims) };
  };

  return (network, destination) => {
    const former = held.get(network.id);
    const claims = destination ? customClaimsOf(destination) : [];
    const isCurrent =
      former !== undefined &&
      former.version === network.version &&
      claims.every((name) => former.customClaims.has(name));
    const current = isCurrent ? former : make(network, [...new Set([...(former?.customClaims ?? []), ...claims])]);
    held.delete(network.id);
    held.set(network.id, current);
    const [oldest] = held.keys();
    if (held.size > maximumProviders && oldest !== undefined) held.delete(oldest);
    // A failure, such as a database that is away, must not be kept.
    current.provider.catch(() => held.get(network.id) === current && held.delete(network.id));
    return current.provider;
  };
};
