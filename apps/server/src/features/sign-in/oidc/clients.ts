import type { FastifyRequest } from 'fastify';
import type { AdapterPayload } from 'oidc-provider';
import type { Destination } from '../destination/destinations.queries.ts';

/** The library requires a text here. It is compared with nothing: the hashes of the real secrets are in the database. */
const placeholder = 'the secret is not stored';

/**
 * A site as a client of the library. Applications send a secret in a header or in the form, and many administrators do not know which,
 * so both are accepted.
 */
export const toClientMetadata = (
  { site }: Destination,
  { headers }: Pick<FastifyRequest, 'headers'>,
): AdapterPayload | undefined => {
  const { oidc } = site;
  if (!oidc) return undefined;
  const secretMethod = headers.authorization === undefined ? 'client_secret_post' : 'client_secret_basic';
  return {
    client_id: site.identity,
    client_name: site.site_name,
    redirect_uris: oidc.redirect_uris,
    post_logout_redirect_uris: oidc.post_logout_uris,
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    id_token_signed_response_alg: oidc.algorithm,
    token_endpoint_auth_method: oidc.authentication === 'secret' ? secretMethod : oidc.authentication,
    ...(oidc.authentication === 'secret' && { client_secret: placeholder }),
    requires_pkce: oidc.requires_pkce || oidc.authentication === 'none',
    ...(oidc.jwks && { jwks: oidc.jwks }),
    ...(oidc.jwks_uri && { jwks_uri: oidc.jwks_uri }),
  };
};
