import { type Access, ApiError, type NetworkKey, type Role, type SelfKey } from '@opensocial/contract';
import { and, eq, type SQL } from 'drizzle-orm';
import { type Database, nested } from '../database/connect.ts';
import { networks } from '../database/schema.ts';
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
  if (access.self && !namesSelf(access.self, given, user)) throw new ApiError('forbidden');
  if (access.who === 'self') return { user, network: undefined };
  const network = await findNetworkFor(db, access.network, given, user);
  if (!network) throw new ApiError('not_found');
  if (access.who === 'networkAdmin' && network.role !== 'admin') throw new ApiError('forbidden');
  return { user, network };
};

const namesSelf = (fields: Readonly<Record<string, SelfKey>>, given: GivenFields, user: SessionRow['user']): boolean =>
  Object.entries(fields).every(
    ([field, key]) => String(given[field]).toLowerCase() === String(user[key]).toLowerCase(),
  );

const columns = { id: networks.id, name: networks.name, sso_id: networks.sso_id } satisfies Record<NetworkKey, unknown>;

/** All fields must name one network, and the user must belong to it. */
const findNetworkFor = async (
  db: Database,
  fields: Readonly<Record<string, NetworkKey>>,
  given: GivenFields,
  user: SessionRow['user'],
): Promise<GrantedNetwork | undefined> => {
  const named = Object.entries(fields).map(([field, key]): SQL => eq(columns[key], given[field] as never));
  const [found] = await db
    .select({ network: networks, isOwner: nested<boolean>(isOwnerOf(user.id)) })
    .from(networks)
    .where(and(...named, isMemberOf(user.id)));
  return found && { ...found.network, role: found.isOwner ? 'admin' : 'user' };
};
