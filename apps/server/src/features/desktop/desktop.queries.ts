import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { networks, sites } from '../../database/schema.ts';
import { unreachableSince } from '../sites/sites.service.ts';

const isSwitchedOn = eq(sites.status, 'Active');
const isPlaced = isNotNull(sites.desktop_position);

const ofNetwork = (networkId: number): SQL | undefined =>
  and(eq(sites.network_id, networkId), eq(sites.kind, 'site'), isSwitchedOn);

const tileColumns = { ...getTableColumns(sites), unreachable_since: unreachableSince };

export type TileRecord = typeof sites.$inferSelect & { unreachable_since: Date | null };

/** The condition of a site that is on the network's desktop, and shown on it. */
export const isOnDesktop = (networkId: number, shown?: SQL): SQL | undefined =>
  and(ofNetwork(networkId), isPlaced, shown);

export const findDesktopSites = (db: Queryable, networkId: number, shown?: SQL) =>
  db
    .select(tileColumns)
    .from(sites)
    .where(isOnDesktop(networkId, shown))
    .orderBy(asc(sites.desktop_position), asc(sites.id));

/**
 * The ids of those sites that meet a condition. They are locked until the transaction ends, so that they are not deleted meanwhile, and in
 * the order of their ids, so that two transactions do not wait for each other.
 */
export const lockSitesIf = async (
  tx: Queryable,
  siteIds: readonly number[],
  condition: SQL | undefined,
): Promise<number[]> => {
  const found = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(inArray(sites.id, [...siteIds]), condition))
    .orderBy(asc(sites.id))
    .for('key share');
  return found.map(({ id }) => id);
};

/** Each of the conditions under which `findDesktopSites` finds a site. */
export const findTileConditions = async (db: Queryable, siteId: number, shown?: SQL) => {
  const [found] = await db
    .select({
      isSwitchedOn: sql<boolean>`${isSwitchedOn}`,
      isPlaced: sql<boolean>`${isPlaced}`,
      isShown: nested<boolean>(shown ?? sql`true`),
    })
    .from(sites)
    .where(eq(sites.id, siteId));
  return found;
};

export const findAvailableSites = (db: Queryable, networkId: number) =>
  db
    .select(tileColumns)
    .from(sites)
    .where(and(ofNetwork(networkId), isNull(sites.desktop_position)))
    .orderBy(asc(sites.domain), asc(sites.id));

export const findNetworkMode = async (db: Queryable, networkId: number) => {
  const [network] = await db.select({ mode: networks.mode }).from(networks).where(eq(networks.id, networkId));
  if (!network) throw new Error('The network was not found.');
  return network.mode;
};

/** Reads the version of the desktop and locks it until the transaction ends, so that saves run one after the other. */
export const lockDesktop = async (tx: Queryable, networkId: number): Promise<number> => {
  const [network] = await tx
    .select({ version: networks.desktop_version })
    .from(networks)
    .where(eq(networks.id, networkId))
    .for('no key update');
  if (!network) throw new Error('The network was not found.');
  return network.version;
};

export const findPositions = async (tx: Queryable, networkId: number): Promise<Map<number, number | null>> => {
  const rows = await tx
    .select({ id: sites.id, position: sites.desktop_position })
    .from(sites)
    .where(and(eq(sites.network_id, networkId), eq(sites.kind, 'site')))
    .orderBy(asc(sites.desktop_position), asc(sites.id));
  return new Map(rows.map(({ id, position }) => [id, position]));
};

/** Updates all positions in one statement. */
export const updatePositions = (
  tx: Queryable,
  positions: readonly (readonly [id: number, position: number | null])[],
) =>
  tx.execute(sql`
    update ${sites} set desktop_position = placed.position
    from unnest(${sql.param(positions.map(([id]) => id))}::bigint[], ${sql.param(positions.map(([, position]) => position))}::int[])
      as placed (id, position)
    where ${sites.id} = placed.id`);

export const updateDesktopVersion = (tx: Queryable, networkId: number, version: number) =>
  tx.update(networks).set({ desktop_version: version }).where(eq(networks.id, networkId));
