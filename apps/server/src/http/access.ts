import { type Access, ApiError, type SelfKey } from '@opensocial/contract';
import type { Database } from '../database/connect.ts';
import type { SessionRow } from '../identity/console-sessions.ts';
import {
  findNetworkOfCall,
  type GivenFields,
  type GrantedNetwork,
  ownsMainNetwork,
} from '../identity/network-access.ts';

export type Grant = { user: SessionRow['user'] | undefined; network: GrantedNetwork | undefined };

/**
 * Decides whether a caller may make a call, by the network of the object that the call names. An object of a network that the caller
 * does not belong to is answered with `not_found`, so that its existence is not disclosed.
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
    ? await findNetworkOfCall(db, { selected: 'id' }, { selected: session.selected.id }, session)
    : await findNetworkOfCall(db, access.network, given, session);
  if (!network) throw new ApiError('not_found');
  if (access.who !== 'networkMember' && network.role !== 'admin') throw new ApiError('forbidden');
  return { user, network };
};

const namesSelf = (fields: Readonly<Record<string, SelfKey>>, given: GivenFields, user: SessionRow['user']): boolean =>
  Object.entries(fields).every(
    ([field, key]) => String(given[field]).toLowerCase() === String(user[key]).toLowerCase(),
  );
