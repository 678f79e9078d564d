import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import { nested, type Queryable } from '../../database/connect.ts';
import { contains, exactly, readPage } from '../../database/paging.ts';
import {
  auditRecords,
  groups,
  memberCounts,
  memberships,
  networkSettings,
  networks,
  owners,
  signingKeys,
  sites,
} from '../../database/schema.ts';
import { isActiveMember, isOwnerOfNetwork, mainNetworkName, perRow } from '../../identity/membership.ts';

const asMember = (userId: number) => ({
  id: networks.id,
  sso_id: networks.sso_id,
  name: networks.name,
  isOwner: nested<boolean>(perRow(isOwnerOfNetwork(userId, networks.id))),
});

const countActiveMemberships = (db: Queryable, userId: number) =>
  db.$count(
    memberships,
    and(eq(memberships.user_id, userId), eq(memberships.status, 'Confirmed'), eq(memberships.user_mode, 'Active')),
  );

type NetworksQuery = { keyword?: string | undefined; descending?: boolean; lastId: number; size: number };

export const readNetworksOf = (
  db: Queryable,
  userId: number,
  { keyword, descending = false, ...page }: NetworksQuery,
) =>
  readPage(db, networks, asMember(userId), {
    order: { by: networks.name, id: networks.id, descending },
    scope: isActiveMember(userId, networks.id),
    match: contains(networks.name, keyword),
    count: keyword === undefined ? async () => exactly(await countActiveMemberships(db, userId)) : undefined,
    ...page,
  });

export const findNetworksWithSiteCounts = (db: Queryable, userId: number) =>
  db
    .select({
      ...asMember(userId),
      sites: nested<number>(
        sql`(select count(*)::int from ${sites} where ${sites.network_id} = ${networks.id} and ${sites.kind} = 'site')`,
      ),
    })
    .from(networks)
    .where(isActiveMember(userId, networks.id))
    .orderBy(asc(networks.name));

/** The numbers of sites, users, groups and owners of a network. The console does not count as a site. */
export const countInNetwork = async (db: Queryable, networkId: number) => {
  const [counted] = await db
    .select({
      sites: nested<number>(
        sql`(select count(*)::int from ${sites} where ${sites.network_id} = ${networks.id} and ${sites.kind} = 'site')`,
      ),
      users: nested<number>(
        sql`(select coalesce(sum(${memberCounts.members}), 0)::int from ${memberCounts} where ${memberCounts.network_id} = ${networks.id})`,
      ),
      groups: nested<number>(sql`(select count(*)::int from ${groups} where ${groups.network_id} = ${networks.id})`),
      owners: nested<number>(sql`(select count(*)::int from ${owners} where ${owners.network_id} = ${networks.id})`),
    })
    .from(networks)
    .where(eq(networks.id, networkId));
  return counted ?? { sites: 0, users: 0, groups: 0, owners: 0 };
};

/** A network by its name, and its id if given, with the user's role in it. The user must be an active member. */
export const findNetworkOf = async (db: Queryable, userId: number, named: { id?: number; name: string }) => {
  const [found] = await db
    .select(asMember(userId))
    .from(networks)
    .where(
      and(
        eq(networks.name, named.name),
        named.id === undefined ? undefined : eq(networks.id, named.id),
        isActiveMember(userId, networks.id),
      ),
    );
  return found;
};

export const findNetworkByName = async (db: Queryable, name: string) => {
  const [found] = await db
    .select({ network: networks, settings: networkSettings, key: signingKeys })
    .from(networks)
    .innerJoin(networkSettings, eq(networkSettings.network_id, networks.id))
    .innerJoin(signingKeys, and(eq(signingKeys.network_id, networks.id), eq(signingKeys.state, 'current')))
    .where(eq(networks.name, name));
  return found;
};

/** The published keys of a network: the current one, then the next one, then retired ones, which sites may still use. */
export const findPublishedKeys = (db: Queryable, networkId: number) =>
  db
    .select({ state: signingKeys.state, certificate: signingKeys.certificate, not_after: signingKeys.not_after })
    .from(signingKeys)
    .where(eq(signingKeys.network_id, networkId))
    .orderBy(asc(signingKeys.state), desc(signingKeys.id));

export const findCertificates = async (db: Queryable, networkId: number): Promise<string[]> =>
  (await findPublishedKeys(db, networkId)).map(({ certificate }) => certificate);

/** The certificates that verify the responses to the console's own logins. */
export const findMainCertificates = async (db: Queryable): Promise<string[]> => {
  const main = await findNetworkByName(db, mainNetworkName);
  return main ? findCertificates(db, main.network.id) : [];
};

/** Reads the mode of a network. The row stays locked until the transaction ends. */
export const getNetworkMode = async (db: Queryable, networkId: number, isHeld = false) => {
  const query = db.select({ mode: networks.mode }).from(networks).where(eq(networks.id, networkId));
  const [network] = await (isHeld ? query.for('no key update') : query);
  if (!network) throw new Error('The network was not found.');
  return network;
};

export const updateNetworkMode = (db: Queryable, networkId: number, mode: (typeof networks.$inferSelect)['mode']) =>
  db.update(networks).set({ mode }).where(eq(networks.id, networkId));

/**
 * The time when an address first became an owner of a network, or now. The grace period without a second factor begins then; otherwise
 * two owners could renew it by removing and adding each other.
 */
export const firstOwnedAt = (networkId: number, email: string): SQL =>
  sql`coalesce((select min(${auditRecords.created_at}) from ${auditRecords} where ${and(
    eq(auditRecords.network_id, networkId),
    eq(auditRecords.object, 'owner'),
    eq(auditRecords.action, 'create'),
    sql`${auditRecords.new_data} ->> 'owner' = ${email}`,
  )}), now())`;
