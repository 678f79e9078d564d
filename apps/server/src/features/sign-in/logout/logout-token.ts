import { randomUUID } from 'node:crypto';
import type { OidcParameters } from '@opensocial/contract';
import { SignJWT } from 'jose';
import type { Parts } from '../../../parts.ts';
import type { Destination } from '../destination/destinations.queries.ts';
import { oidcAddresses } from '../oidc/addresses.ts';
import { oidcKeyFor } from '../oidc/keys.ts';
import { sidOf } from '../oidc/sid.ts';
import type { RequestSubject } from './logout-messages.ts';

/** How long a client may take to accept a token, in seconds. */
const lifetime = 120;

/** The token of OpenID Connect Back-Channel Logout 1.0, with which a client ends the session of a person. */
export const buildLogoutToken = async (
  parts: Pick<Parts, 'db' | 'vault' | 'config' | 'persistentNames'>,
  { site, network }: Destination,
  { algorithm }: Pick<OidcParameters, 'algorithm'>,
  participant: RequestSubject,
): Promise<string> => {
  const { kid, privateKey } = await oidcKeyFor(parts, network.id, algorithm);
  const issuedAt = Math.floor(Date.now() / 1_000);
  return new SignJWT({
    sid: sidOf(parts, participant.session_index, site.identity),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  })
    .setProtectedHeader({ alg: algorithm, kid, typ: 'logout+jwt' })
    .setIssuer(oidcAddresses(parts.config, network.name).issuer)
    .setAudience(site.identity)
    .setSubject(participant.name_id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .setJti(randomUUID())
    .sign(privateKey);
};
