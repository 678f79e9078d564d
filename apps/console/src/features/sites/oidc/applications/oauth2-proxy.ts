import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { tomlText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const redirectUri = (base: string): string => `${base}/oauth2/callback`;

export const oauth2Proxy: Application = {
  id: 'oauth2-proxy',
  name: 'oauth2-proxy',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [redirectUri(base)],
  configure: ({ base, client_id, secret, ownSecret, endpoints }) => [
    {
      title: 'oauth2-proxy.cfg',
      text: linesOf(
        'provider = "oidc"',
        `provider_display_name = ${tomlText(providerLabel)}`,
        `oidc_issuer_url = ${tomlText(endpoints.issuer)}`,
        `client_id = ${tomlText(client_id)}`,
        `client_secret = ${tomlText(secret)}`,
        `redirect_url = ${tomlText(redirectUri(base))}`,
        `scope = ${tomlText(scopes.join(' '))}`,
        'code_challenge_method = "S256"',
        'oidc_groups_claim = "groups"',
        '# allowed_groups = ["staff"]',
        'email_domains = ["*"]',
        'reverse_proxy = true',
        'http_address = "127.0.0.1:4180"',
        '# The address of the application that is protected.',
        'upstreams = ["http://127.0.0.1:8080/"]',
        '# Made in your browser for this proxy, and stored nowhere. Any other 32 random bytes in base64url work too.',
        `cookie_secret = ${tomlText(ownSecret)}`,
        'cookie_secure = true',
      ),
    },
  ],
  hint: 'Everybody who may open this site gets in. To let in only some groups, use allowed_groups. The application gets the email address in the header X-Forwarded-Email, and the groups in X-Forwarded-Groups.',
};
