import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, prepared } from '../../database/connect.ts';
import { networkSettings, networks, type signIns, signingKeys, sites } from '../../database/schema.ts';
import { mainNetworkName } from '../../identity/membership.ts';

/** Changes with each of the rows that a destination is made of. */
export const stampOf = (siteId: typeof sites.id | typeof signIns.site_id) =>
  nested<string>(sql`(select concat_ws(' ', site.xmin, network.xmin, settings.xmin, key.id)
    from ${sites} as site join ${networks} as network on network.id = site.network_id
    join ${networkSettings} as settings on settings.network_id = network.id
    join ${signingKeys} as key on key.network_id = network.id and key.state = 'current'
    where site.id = ${siteId})`);

const stampById = prepared((db) =>
  db
    .select({ stamp: stampOf(sites.id) })
    .from(sites)
    .where(eq(sites.id, sql.placeholder('id')))
    .prepare('stamp_by_id'),
);

/** The stamp that a site has now. */
export const findStamp = async (db: Database, id: number): Promise<string | undefined> => {
  const [found] = await stampById(db).execute({ id });
  return found?.stamp;
};

/** A site with all that an answer to it needs: its network, the network's settings and current key. */
const destinationWhere = (name: string, where: SQL | undefined) =>
  prepared((db) =>
    db
      .select({ site: sites, network: networks, settings: networkSettings, key: signingKeys, stamp: stampOf(sites.id) })
      .from(sites)
      .innerJoin(networks, eq(networks.id, sites.network_id))
      .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
      .innerJoin(signingKeys, and(eq(signingKeys.network_id, networks.id), eq(signingKeys.state, 'current')))
      .where(where)
      .prepare(`destination_by_${name}`),
  );
const inNetwork = eq(networks.name, sql.placeholder('network'));
const destinationByIdentity = destinationWhere(
  'identity',
  and(inNetwork, eq(sites.identity, sql.placeholder('identity'))),
);
const destinationInNetwork = destinationWhere('network', and(inNetwork, eq(sites.id, sql.placeholder('id'))));
const mainEntrance = destinationWhere('entrance', and(inNetwork, eq(sites.kind, 'console')));
const destinationById = destinationWhere('id', eq(sites.id, sql.placeholder('id')));

export const findSiteById = async (db: Database, id: number) => {
  const [found] = await destinationById(db).execute({ id });
  return found;
};
export type Destination = NonNullable<Awaited<ReturnType<typeof findSiteById>>>;

/** Where somebody wants to go: a site of a network, by the name it gives itself or by its id. */
export type Whereto = { network: string } & ({ identity: string } | { id: number });

export const findDestination = async (db: Database, whereto: Whereto): Promise<Destination | undefined> => {
  const statement = 'identity' in whereto ? destinationByIdentity : destinationInNetwork;
  const [found] = await statement(db).execute(whereto);
  return found;
};

/** The main network's own sign-in: that of the console. */
export const findMainEntrance = async (db: Database): Promise<Destination> => {
  const [entrance] = await mainEntrance(db).execute({ network: mainNetworkName });
  if (!entrance) throw new Error('The console is not registered.');
  return entrance;
};
