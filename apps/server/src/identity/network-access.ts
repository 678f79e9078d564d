import { ApiError, type NetworkKey, type Role, type SiteProtocol } from '@opensocial/contract';
import { and, type Column, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, nested, prepared } from '../database/connect.ts';
import { groups, groupUsers, images, networks, owners, signingKeys, sites, trash } from '../database/schema.ts';
import type { Actor } from './actor.ts';
import { haveSessionsEnded, isActiveMember, isMember, isOwnerOfNetwork, mainNetworkName } from './membership.ts';

/** A network that the caller of a call belongs to, with the caller's role in it. */
export type GrantedNetwork = typeof networks.$inferSelect & { role: Role };

/** The fields of a call by name, from its path and its body. The path takes precedence, because it names the object. */
export type GivenFields = Readonly<Record<string, unknown>>;

const mainNetworkOfOwner = prepared((db) =>
  db
    .select({ id: networks.id })
    .from(networks)
    .where(and(eq(networks.name, mainNetworkName), isOwnerOfNetwork(sql.placeholder('userId'), networks.id)))
    .prepare('main_network_of_owner'),
);

export const ownsMainNetwork = async (db: Database, userId: number): Promise<boolean> =>
  (await mainNetworkOfOwner(db).execute({ userId })).length > 0;

const existsInNetwork = (key: Column, network: Column, value: unknown, condition?: SQL): SQL =>
  sql`exists (select 1 from ${key.table} where ${and(eq(key, value), eq(network, networks.id), condition)})`;

const isSiteOf = (protocol: SiteProtocol) => and(eq(sites.kind, 'site'), eq(sites.protocol, protocol));

/** For each kind of key that a call can have: whether `networks` is the network of the object with that key. */
const isNetworkOf: Record<NetworkKey, (value: unknown) => SQL> = {
  id: (value) => eq(networks.id, value as number),
  name: (value) => eq(networks.name, value as string),
  sso_id: (value) => eq(networks.sso_id, value as string),
  // The console is a site of the main network too, but cannot be administered.
  site: (value) => existsInNetwork(sites.id, sites.network_id, value, eq(sites.kind, 'site')),
  samlSite: (value) => existsInNetwork(sites.id, sites.network_id, value, isSiteOf('saml')),
  oidcSite: (value) => existsInNetwork(sites.id, sites.network_id, value, isSiteOf('oidc')),
  group: (value) => existsInNetwork(groups.id, groups.network_id, value),
  image: (value) => existsInNetwork(images.id, images.network_id, value),
  imageName: (value) => existsInNetwork(images.name, images.network_id, value),
  signingKey: (value) => existsInNetwork(signingKeys.id, signingKeys.network_id, value),
  owner: (value) => existsInNetwork(owners.id, owners.network_id, value),
  trashEntry: (value) => existsInNetwork(trash.id, trash.network_id, value),
  groupUser: (value) =>
    sql`exists (select 1 from ${groupUsers} join ${groups} on ${groups.id} = ${groupUsers.group_id}
      where ${groupUsers.id} = ${value} and ${groups.network_id} = ${networks.id})`,
  member: (value) => isMember(value as number, networks.id),
};

type Fields = Readonly<Record<string, NetworkKey>>;

const networkOfCall = (fields: Fields) =>
  prepared((db) => {
    const keys = Object.entries(fields);
    const userId = sql.placeholder('$userId');
    const isOwner = nested<boolean>(isOwnerOfNetwork(userId, networks.id));
    const isEnded = nested<boolean>(haveSessionsEnded(userId, networks.id, sql.placeholder('$authenticatedAt')));
    return db
      .select({ network: networks, isOwner, isEnded })
      .from(networks)
      .where(
        and(
          ...keys.map(([field, key]) => isNetworkOf[key](sql.placeholder(field))),
          isActiveMember(userId, networks.id),
        ),
      )
      .orderBy(desc(isOwner), desc(eq(networks.id, sql.placeholder('$selectedId'))))
      .limit(1)
      .prepare(`network_of_call_${keys.map(([, key]) => key).join('_')}`);
  });

/** The statements by the fields that calls declare, which are objects of the contract and live as long as the process. */
const networksOfCalls = new WeakMap<Fields, ReturnType<typeof networkOfCall>>();

/**
 * Finds the network of a call: all its keys must lead to the same network, and the caller must be an active member of it. If there
 * are several, a network that the caller owns comes first, then the one selected in the console. Every call of an owner does this, and
 * planning the query takes longer than running it, so it is prepared for each combination of keys.
 */
export const findNetworkOfCall = async (
  db: Database,
  fields: Fields,
  given: GivenFields,
  { user, session: { selected, authenticatedAt } }: Actor,
): Promise<GrantedNetwork | undefined> => {
  const statement = networksOfCalls.get(fields) ?? networkOfCall(fields);
  networksOfCalls.set(fields, statement);
  const [found] = await statement(db).execute({
    ...Object.fromEntries(Object.keys(fields).map((field) => [field, given[field]])),
    $userId: user.id,
    $selectedId: selected.id,
    $authenticatedAt: authenticatedAt.toISOString(),
  });
  // An owner of this network has ended the person's sessions in it, so that a new sign-in is required.
  if (found?.isEnded) throw new ApiError('reauth_required');
  return found && { ...found.network, role: found.isOwner ? 'admin' : 'user' };
};
