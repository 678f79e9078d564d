import { type Access, ApiError, type NetworkKey, type Role, type SelfKey } from '@opensocial/contract';
import { and, type Column, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, nested } from '../database/connect.ts';
import { haveSessionsEnded } from '../database/membership.ts';
import { groups, groupUsers, images, memberships, networks, owners, sites } from '../database/schema.ts';
import { isMemberOf, isOwnerOf, ownsMainNetwork } from '../features/networks/networks.service.ts';
import type { SessionRow } from '../features/session/session.service.ts';

export type GrantedNetwork = typeof networks.$inferSelect & { role: Role };
export type Grant = { user: SessionRow['user'] | undefined; network: GrantedNetwork | undefined };

/** Path and body by field name; the path wins, as it names the object. */
export type GivenFields = Readonly<Record<string, unknown>>;

/**
 * Decides who may make a call, by the object's own network. Whatever is not theirs answers as if it did not exist, so that
 * nobody learns of it.
 */
export const authorise = async (
  db: Database,
  access: Access,
  given: GivenFields,
  session: SessionRow | undefined,
): Promise<Grant> => {
  if (access.who === 'anyone') return { user: session?.user, network: undefined };
  if (!session) throw new ApiError('auth_required');
  const { user } = session;
  if (access.who === 'signedIn') return { user, network: undefined };
  if (access.who === 'mainAdmin') {
    if (!(await ownsMainNetwork(db, user.id))) throw new ApiError('forbidden');
    return { user, network: undefined };
  }
  if ('self' in access && access.self && !namesSelf(access.self, given, user)) throw new ApiError('forbidden');
  if (access.who === 'self') return { user, network: undefined };
  const isSelected = access.who === 'selectedAdmin';
  const network = isSelected
    ? await findNetworkFor(db, { selected: 'id' }, { selected: session.selected.id }, session)
    : await findNetworkFor(db, access.network, given, session);
  if (!network) throw new ApiError('not_found');
  if (access.who !== 'networkMember' && network.role !== 'admin') throw new ApiError('forbidden');
  return { user, network };
};

const namesSelf = (fields: Readonly<Record<string, SelfKey>>, given: GivenFields, user: SessionRow['user']): boolean =>
  Object.entries(fields).every(
    ([field, key]) => String(given[field]).toLowerCase() === String(user[key]).toLowerCase(),
  );

const holds = (key: Column, network: Column, value: unknown, kind?: SQL): SQL =>
  sql`exists (select 1 from ${key.table} where ${and(eq(key, value), eq(network, networks.id), kind)})`;

const leadsTo: Record<NetworkKey, (value: unknown) => SQL> = {
  id: (value) => eq(networks.id, value as number),
  name: (value) => eq(networks.name, value as string),
  sso_id: (value) => eq(networks.sso_id, value as string),
  // The console is a site of the main network that nobody administers.
  site: (value) => holds(sites.id, sites.network_id, value, eq(sites.kind, 'site')),
  group: (value) => holds(groups.id, groups.network_id, value),
  image: (value) => holds(images.id, images.network_id, value),
  imageName: (value) => holds(images.name, images.network_id, value),
  owner: (value) => holds(owners.id, owners.network_id, value),
  groupUser: (value) =>
    sql`exists (select 1 from ${groupUsers} join ${groups} on ${groups.id} = ${groupUsers.group_id}
      where ${groupUsers.id} = ${value} and ${groups.network_id} = ${networks.id})`,
  member: (value) => holds(memberships.user_id, memberships.network_id, value),
};

/** All fields must lead to one network, and the user must belong to it. Of several, one that they own, then the selected one. */
const findNetworkFor = async (
  db: Database,
  fields: Readonly<Record<string, NetworkKey>>,
  given: GivenFields,
  { user, selected, authenticatedAt }: SessionRow,
): Promise<GrantedNetwork | undefined> => {
  const named = Object.entries(fields).map(([field, key]) => leadsTo[key](given[field]));
  const isOwner = nested<boolean>(isOwnerOf(user.id));
  const isEnded = nested<boolean>(haveSessionsEnded(user.id, networks.id, authenticatedAt));
  const [found] = await db
    .select({ network: networks, isOwner, isEnded })
    .from(networks)
    .where(and(...named, isMemberOf(user.id)))
    .orderBy(desc(isOwner), desc(eq(networks.id, selected.id)))
    .limit(1);
  // An owner of this network has ended the person's sessions in it: only a new sign-in counts here.
  if (found?.isEnded) throw new ApiError('reauth_required');
  return found && { ...found.network, role: found.isOwner ? 'admin' : 'user' };
};
