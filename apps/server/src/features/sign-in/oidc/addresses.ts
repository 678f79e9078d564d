import type { OidcEndpoints } from '@opensocial/contract';
import type { Config } from '../../../config.ts';

/** The public addresses of a network's OpenID Connect provider. */
export const oidcAddresses = ({ publicUrl }: Pick<Config, 'publicUrl'>, network: string): OidcEndpoints => {
  const issuer = `${publicUrl}/oidc/${network}`;
  return {
    issuer,
    discovery: `${issuer}/.well-known/openid-configuration`,
    authorization: `${issuer}/auth`,
    token: `${issuer}/token`,
    userinfo: `${issuer}/userinfo`,
    jwks: `${issuer}/jwks`,
    logout: `${issuer}/logout`,
  };
};
