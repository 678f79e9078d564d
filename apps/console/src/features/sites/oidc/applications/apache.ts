import { linesOf, pathOf } from '../../recipes/configuration.ts';
import { apacheText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const redirectUri = (base: string): string => `${base}/oauth2callback`;

/** Where applications link to. The parameter is the registered return address. */
const signOutLink = (base: string): string => `${pathOf(redirectUri(base))}?logout=${encodeURIComponent(`${base}/`)}`;

export const apache: Application = {
  id: 'apache',
  name: 'Apache (mod_auth_openidc)',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [redirectUri(base)],
  backChannel: (base) => `${redirectUri(base)}?logout=backchannel`,
  configure: ({ base, client_id, secret, ownSecret, endpoints }) => [
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
        '# Made in your browser for this server, and stored nowhere. Any other long random text works too.',
        `OIDCCryptoPassphrase ${apacheText(ownSecret)}`,
        '',
        `<Location ${apacheText(pathOf(base) || '/')}>`,
        '  AuthType openid-connect',
        '  Require valid-user',
        '  # Only for a group: Require claim groups:staff',
        `  # Link that signs people out: ${signOutLink(base)}`,
        '</Location>',
      ),
    },
    {
      title: 'Shell, on the web server',
      text: linesOf(
        'sudo apt install libapache2-mod-auth-openidc',
        'sudo a2enmod auth_openidc',
        'sudo systemctl restart apache2',
      ),
    },
  ],
  hint: 'There must be no page at the redirect URL: the module answers it. Applications find the claims in the variables OIDC_CLAIM_email, OIDC_CLAIM_name and OIDC_CLAIM_groups.',
};
