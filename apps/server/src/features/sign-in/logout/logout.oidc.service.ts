import type { Fields } from '../../../http/fields.ts';
import type { Parts } from '../../../parts.ts';
import { type Destination, findDestination } from '../destination/destinations.queries.ts';
import { sidOf } from '../oidc/sid.ts';
import { withParameters } from './front-channel.ts';
import { readHint } from './id-token-hint.ts';
import { findSessionByToken } from './logouts.queries.ts';

/** A logout request of a client, as far as it could be verified. */
export type ClientLogout = {
  client: Destination | undefined;
  /** The session that the client has proven to know. */
  sid: string | undefined;
  /** The address that the browser returns to; undefined unless the client has registered it. */
  returnTo: string | undefined;
};

/**
 * Reads a logout request of OpenID Connect RP-Initiated Logout 1.0. Anybody may send a browser here, so a request that cannot be verified
 * is not an error: the person decides. It only loses the address that it wants to return to.
 */
export const readClientLogout = async (
  parts: Parts,
  network: string,
  { id_token_hint, client_id, post_logout_redirect_uri, state }: Fields,
): Promise<ClientLogout> => {
  const proven = id_token_hint === undefined ? undefined : await readHint(parts, network, id_token_hint);
  const isContradiction = proven && client_id !== undefined && client_id !== proven.client.site.identity;
  if (isContradiction) return { client: undefined, sid: undefined, returnTo: undefined };
  const named = client_id === undefined ? undefined : await findDestination(parts.db, { network, clientId: client_id });
  const client = proven?.client ?? named;
  return { client, sid: proven?.sid, returnTo: client && addressFor(client, post_logout_redirect_uri, state) };
};

/** The address to return to, if it is exactly one that the client has registered. */
const addressFor = ({ site }: Destination, address: string | undefined, state: string | undefined) => {
  if (address === undefined || !site.oidc?.post_logout_uris.includes(address)) return undefined;
  return state === undefined ? address : withParameters(address, { state });
};

/** What a logout request leads to: the session has ended before, it ends at once, or the person is asked. */
export const decideLogout = async (
  parts: Pick<Parts, 'db' | 'persistentNames'>,
  identityToken: string | undefined,
  { client, sid }: ClientLogout,
): Promise<'ended' | 'end' | 'ask'> => {
  const session = identityToken === undefined ? undefined : await findSessionByToken(parts.db, identityToken);
  if (!session) return 'ended';
  return client && sid === sidOf(parts, session.index, client.site.identity) ? 'end' : 'ask';
};
