import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Database, nested, prepared } from '../../../database/connect.ts';
import { networkSettings, networks, type signIns, signingKeys, sites } from '../../../database/schema.ts';
import { mainNetworkName } from '../../../identity/membership.ts';
import { isKeyOfSite } from '../../signing-keys/signing-keys.service.ts';

/**
 * The version of a destination: a text of the row versions of its site, network, settings, key and the network's next key, which somebody
 * may be trying. Every update of one changes it.
 */
export const versionOf = (siteId: typeof sites.id | typeof signIns.site_id) =>
  nested<string>(sql`(select concat_ws(' ', site.version, network.version, settings.version, key.id, key.version, next.id, next.version)
    from ${sites} as site join ${networks} as network on network.id = site.network_id
    join ${networkSettings} as settings on settings.network_id = network.id
    join ${signingKeys} as key on key.network_id = network.id
      and case when site.signing_key_id is null then key.state = 'current' else key.id = site.signing_key_id end
    left join ${signingKeys} as next on next.network_id = network.id and next.state = 'next'
    where site.id = ${siteId})`);

const versionById = prepared((db) =>
  db
    .select({ version: versionOf(sites.id) })
    .from(sites)
    .where(eq(sites.id, sql.placeholder('id')))
    .prepare('version_by_id'),
);

export const findVersion = async (db: Database, id: number): Promise<string | undefined> => {
  const [found] = await versionById(db).execute({ id });
  return found?.version;
};

const nextKeys = alias(signingKeys, 'next_keys');
const isNextKey = and(eq(nextKeys.network_id, networks.id), eq(nextKeys.state, 'next'));

/** The same text as `versionOf`, for a query that joins all of these rows anyway or once for several columns. */
export const joinedVersion = {
  version: sql<string>`concat_ws(' ', ${sites.version}, ${networks.version}, ${networkSettings.version}, ${signingKeys.id}, ${signingKeys.version}, ${nextKeys.id}, ${nextKeys.version})`,
  nextKeys,
  isNextKey,
};

/** A site with everything that a response to it needs: its network and its settings, the site's signing key and the network's next one. */
const destinationWhere = (name: string, where: SQL | undefined) =>
  prepared((db) =>
    db
      .select({
        site: sites,
        network: networks,
        settings: networkSettings,
        key: signingKeys,
        nextKey: nextKeys,
        version: joinedVersion.version,
      })
      .from(sites)
      .innerJoin(networks, eq(networks.id, sites.network_id))
      .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
      .innerJoin(signingKeys, isKeyOfSite)
      .leftJoin(nextKeys, isNextKey)
      .where(where)
      .prepare(`destination_by_${name}`),
  );
const inNetwork = eq(networks.name, sql.placeholder('network'));
const destinationByIdentity = destinationWhere(
  'identity',
  and(inNetwork, eq(sites.protocol, 'saml'), eq(sites.identity, sql.placeholder('identity'))),
);
const destinationByClient = destinationWhere(
  'client',
  and(inNetwork, eq(sites.protocol, 'oidc'), eq(sites.identity, sql.placeholder('clientId'))),
);
const destinationInNetwork = destinationWhere('network', and(inNetwork, eq(sites.id, sql.placeholder('id'))));
const consoleSite = destinationWhere('console', and(inNetwork, eq(sites.kind, 'console')));
const destinationById = destinationWhere('id', eq(sites.id, sql.placeholder('id')));

export const findSiteById = async (db: Database, id: number) => {
  const [found] = await destinationById(db).execute({ id });
  return found;
};
export type Destination = NonNullable<Awaited<ReturnType<typeof findSiteById>>>;
export type Network = Destination['network'];

/** A site of a network, by its SAML entity id (`identity`), by its client id in OpenID Connect, or by its id. */
export type SiteLookup = { network: string } & ({ identity: string } | { clientId: string } | { id: number });

const statementFor = (lookup: SiteLookup) => {
  if ('identity' in lookup) return destinationByIdentity;
  return 'clientId' in lookup ? destinationByClient : destinationInNetwork;
};

export const findDestination = async (db: Database, lookup: SiteLookup): Promise<Destination | undefined> => {
  const [found] = await statementFor(lookup)(db).execute(lookup);
  return found;
};

/** The console, which is the site for signing in to the main network itself. */
export const findConsole = async (db: Database): Promise<Destination> => {
  const [found] = await consoleSite(db).execute({ network: mainNetworkName });
  if (!found) throw new Error('The console is not registered.');
  return found;
};
