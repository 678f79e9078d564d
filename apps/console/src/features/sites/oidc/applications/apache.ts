import { linesOf } from '../../recipes/configuration.ts';
import { apacheText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const redirectUri = (base: string): string => `${base}/oauth2callback`;

export const apache: Application = {
  id: 'apache',
  name: 'Apache (mod_auth_openidc)',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [redirectUri(base)],
  backChannel: (base) => `${redirectUri(base)}?logout=backchannel`,
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'In the virtual host',
      text: linesOf(
        `OIDCProviderMetadataURL ${apacheText(endpoints.discovery)}`,
        `OIDCClientID ${apacheText(client_id)}`,
        `OIDCClientSecret ${apacheText(secret)}`,
        `OIDCRedirectURI ${apacheText(redirectUri(base))}`,
        `OIDCScope ${apacheText(scopes.join(' '))}`,
        'OIDCPKCEMethod S256',
        'OIDCRemoteUserClaim email',
        '# Make one with: openssl rand -hex 32',
        'OIDCCryptoPassphrase "<passphrase>"',
        '',
        '<Location "/">',
        '  AuthType openid-connect',
        '  Require valid-user',
        '  # Only for a group: Require claim groups:staff',
        '</Location>',
      ),
    },
    { title: 'Shell', text: linesOf('sudo a2enmod auth_openidc', 'sudo systemctl reload apache2') },
  ],
  hint: 'There must be no page at the redirect address: the module answers it. Applications find the claims in the headers OIDC_CLAIM_email, OIDC_CLAIM_name and OIDC_CLAIM_groups.',
};
