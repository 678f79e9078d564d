import { createPublicKey } from 'node:crypto';
import { compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { z } from 'zod';
import type { Parts } from '../../../parts.ts';
import { type Destination, findDestination } from '../destination/destinations.queries.ts';
import { oidcAddresses } from '../oidc/addresses.ts';
import { loadKeys } from '../oidc/keys.ts';

/** The claims by which an ID token names a session. Tokens for other purposes have other types or lack the claims. */
const Hint = z.object({
  iss: z.string(),
  aud: z.string(),
  sub: z.string(),
  sid: z.string(),
  events: z.never().optional(),
});
const Header = z.object({ kid: z.string(), typ: z.literal('JWT').optional() });

/** A session at a client, proven by an ID token of ours. */
export type ProvenSession = { client: Destination; sid: string };

/**
 * The session that an ID token names, if this network has issued it. An expired one is accepted, because people sign out long after they
 * have signed in. The algorithm is that of the key, whatever the token says.
 */
export const readHint = async (
  parts: Pick<Parts, 'db' | 'vault' | 'config' | 'log'>,
  network: string,
  token: string,
): Promise<ProvenSession | undefined> => {
  try {
    return await verifyHint(parts, network, token);
  } catch (error) {
    // `decodeJwt` and `decodeProtectedHeader` throw a TypeError for a text that is not a token.
    if (!(error instanceof errors.JOSEError || error instanceof TypeError || error instanceof z.ZodError)) throw error;
    parts.log.info({ network, reason: error.message }, 'The ID token of a logout request was not accepted.');
    return undefined;
  }
};

const verifyHint = async (
  parts: Pick<Parts, 'db' | 'vault' | 'config'>,
  network: string,
  token: string,
): Promise<ProvenSession | undefined> => {
  const { kid } = Header.parse(decodeProtectedHeader(token));
  const { aud, iss } = Hint.parse(decodeJwt(token));
  if (iss !== oidcAddresses(parts.config, network).issuer) return undefined;
  const client = await findDestination(parts.db, { network, clientId: aud });
  const keys = client ? await loadKeys(parts, client.network.id) : [];
  const key = keys.find((each) => each.kid === kid);
  if (!client || !key) return undefined;
  const { payload } = await compactVerify(token, createPublicKey(key.privateKey), { algorithms: [key.algorithm] });
  const { sid } = Hint.parse(JSON.parse(new TextDecoder().decode(payload)));
  return { client, sid };
};
