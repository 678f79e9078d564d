import { type Adapter, type AdapterFactory, type AdapterPayload, errors, Provider } from 'oidc-provider';
import { chargeVisitor } from '../credentials/visitor-budget.ts';
import type { Network } from '../destination/destinations.queries.ts';
import type { SignInParts } from '../flow/sign-in-flow.ts';
import {
  consumeArtifact,
  deleteArtifact,
  deleteGrant,
  findArtifact,
  findGrant,
  upsertArtifact,
} from './artifacts.queries.ts';
import { grantedClaims, grantedScopes } from './claims.ts';
import { toClientMetadata } from './clients.ts';
import { currentExchange } from './exchanges.ts';
import { toLibrarySession, usableIdentity } from './session.ts';

const nothing = async (): Promise<undefined> => undefined;

/** What the library reads and writes. Each of its models has an adapter. */
export const createAdapterFactory = (parts: SignInParts, network: Network): AdapterFactory => {
  const special: Record<string, Partial<Adapter>> = {
    Client: { find: (id) => findClient(parts, network, id) },
    Grant: {
      find: (id) => findGrantPayload(parts, network, id),
      destroy: async (id) => void (await deleteGrant(parts.db, id)),
    },
    Session: { find: async (id) => toLibrarySession(parts, id, currentExchange().resolved) },
  };
  return (name) => {
    const adapter = special[name];
    return adapter ? { ...inert, ...adapter } : createArtifactAdapter(parts, network, name);
  };
};

/** For models that are computed from our own tables, so that the library has nothing to write. */
const inert: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUserCode: nothing,
  findByUid: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

const findClient = async ({ siteCache }: SignInParts, { name }: Network, id: string) => {
  const exchange = currentExchange();
  const { resolved, request } = exchange;
  const destination =
    resolved?.destination.site.identity === id
      ? resolved.destination
      : (await siteCache.resolve({ network: name, clientId: id }, undefined))?.destination;
  if (!destination) return undefined;
  exchange.client = destination;
  return toClientMetadata(destination, request);
};

/** An owner has registered the site, so people grant everything that the site may learn. */
const findGrantPayload = async (
  { db }: SignInParts,
  network: Network,
  uid: string,
): Promise<AdapterPayload | undefined> => {
  const grant = await findGrant(db, network.id, uid);
  return (
    grant && {
      kind: 'Grant',
      jti: uid,
      accountId: grant.accountId,
      clientId: grant.clientId,
      openid: { scope: grantedScopes.join(' '), claims: grantedClaims },
      iat: grant.createdAt,
      exp: grant.expiresAt,
    }
  );
};

const createArtifactAdapter = (parts: SignInParts, { id: networkId }: Network, kind: string): Adapter => {
  const { db } = parts;
  const keyOf = (id: string) => ({ networkId, kind, id });
  return {
    ...inert,
    upsert: async (id, payload, seconds = 3_600) => {
      const stored = kind === 'Interaction' ? withoutPerson(payload) : { ...payload };
      chargeRow(parts, kind);
      // Two requests with the same signed assertion at the same time both find that it was not used yet.
      const isOnce = kind === 'ReplayDetection';
      const isStored = await upsertArtifact(db, keyOf(id), stored, { seconds, isOnce });
      if (isOnce && !isStored) throw new errors.InvalidClientAuth('the assertion was used before');
    },
    find: (id) => findArtifact(db, keyOf(id)),
    // Two requests at the same time both find an unused code. Only one of them may have it.
    consume: async (id) => {
      if (!(await consumeArtifact(db, keyOf(id)))) throw new errors.InvalidGrant('already used');
    },
    destroy: async (id) => void (await deleteArtifact(db, keyOf(id))),
    // The tokens of a grant are deleted with it.
    revokeByGrantId: nothing,
  };
};

/**
 * Limits the rows that are inserted for requests of anybody. Strangers are charged when an authorization request comes, so here are
 * people with a session who begin sign-ins again and again, and programs without a secret that push requests.
 */
const chargeRow = (parts: SignInParts, kind: string): void => {
  const { request, resolved } = currentExchange();
  const person = kind === 'Interaction' && resolved ? usableIdentity(resolved)?.user.id : undefined;
  const isPushed = kind === 'PushedAuthorizationRequest' && Provider.ctx?.oidc.client?.clientAuthMethod === 'none';
  if (person === undefined && !isPushed) return;
  try {
    chargeVisitor(parts, request, 'signIns', person);
  } catch (cause) {
    throw Object.assign(new errors.TemporarilyUnavailable('too many requests', { cause }), { statusCode: 429 });
  }
};

/**
 * Another person may sign in on the way. The library would then refuse to continue, and the request would end with the grant of the first
 * person, although the session is checked again anyway.
 */
const withoutPerson = ({ session: _session, grantId: _grant, ...payload }: AdapterPayload): Record<string, unknown> =>
  payload;
