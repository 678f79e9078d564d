import { type Access, type Anyone, ApiError, type OfNetwork, type SelfKey } from '@opensocial/contract';
import type { Database } from '../database/connect.ts';
import type { Actor, SessionActor } from '../identity/actor.ts';
import { assertFreshSignIn } from '../identity/fresh-sign-in.ts';
import {
  findNetworkOfCall,
  type GivenFields,
  type GrantedNetwork,
  ownsMainNetwork,
} from '../identity/network-access.ts';

/**
 * Decides whether an actor may make a call, by the network of the object that the call names, and returns this network. An object of a
 * network that the actor does not belong to is answered with `not_found`, so that its existence is not disclosed.
 */
export const authorise = async (
  db: Database,
  access: Access,
  given: GivenFields,
  actor: Actor | undefined,
): Promise<GrantedNetwork | undefined> => {
  if (access.who === 'anyone') return undefined;
  if (!actor) throw new ApiError('auth_required');
  const network = await findGranted(db, access, given, actor);
  if (access.needs === 'freshSignIn') assertFreshSignIn(actor);
  return network;
};

const selectedNetwork = { selected: 'id' } as const;

const findGranted = async (
  db: Database,
  access: Exclude<Access, Anyone>,
  given: GivenFields,
  actor: Actor,
): Promise<GrantedNetwork | undefined> => {
  if (access.who === 'signedIn') return undefined;
  if (access.who === 'mainAdmin') {
    if (!(await ownsMainNetwork(db, actor.user.id))) throw new ApiError('forbidden');
    return undefined;
  }
  if ('self' in access && access.self && !namesSelf(access.self, given, actor.user)) throw new ApiError('forbidden');
  if (access.who === 'self') return undefined;
  const network =
    access.who === 'selectedAdmin'
      ? await findNetworkOfCall(db, selectedNetwork, { selected: actor.session.selected.id }, actor)
      : await findNetworkOfCall(db, access.network, given, actor);
  if (!network) throw new ApiError('not_found');
  if (!(await hasRole(db, access.who, network, actor))) throw new ApiError('forbidden');
  return network;
};

/** Whether a member has the role in the network, or in the main network, that a call requires. */
const hasRole = async (
  db: Database,
  who: 'selectedAdmin' | OfNetwork['who'],
  { role }: GrantedNetwork,
  actor: Actor,
): Promise<boolean> => {
  if (who === 'networkMember') return true;
  return who === 'mainAdminInNetwork' ? ownsMainNetwork(db, actor.user.id) : role === 'admin';
};

const namesSelf = (
  fields: Readonly<Record<string, SelfKey>>,
  given: GivenFields,
  user: SessionActor['user'],
): boolean =>
  Object.entries(fields).every(
    ([field, key]) => String(given[field]).toLowerCase() === String(user[key]).toLowerCase(),
  );
