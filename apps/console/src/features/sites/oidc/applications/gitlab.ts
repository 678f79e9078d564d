import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { singleQuoted } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

const redirectUri = (base: string): string => `${base}/users/auth/openid_connect/callback`;

export const gitlab: Application = {
  id: 'gitlab',
  name: 'GitLab',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [redirectUri(base)],
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: '/etc/gitlab/gitlab.rb',
      text: linesOf(
        "gitlab_rails['omniauth_enabled'] = true",
        "gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']",
        "gitlab_rails['omniauth_block_auto_created_users'] = false",
        "gitlab_rails['omniauth_providers'] = [",
        '  {',
        "    name: 'openid_connect', # GitLab needs this name.",
        `    label: ${singleQuoted(providerLabel)},`,
        '    args: {',
        "      name: 'openid_connect',",
        `      scope: [${scopes.map(singleQuoted).join(', ')}],`,
        "      response_type: 'code',",
        `      issuer: ${singleQuoted(endpoints.issuer)},`,
        '      discovery: true,',
        "      client_auth_method: 'basic',",
        "      uid_field: 'sub',",
        '      send_scope_to_token_endpoint: false,',
        '      pkce: true,',
        '      client_options: {',
        `        identifier: ${singleQuoted(client_id)},`,
        `        secret: ${singleQuoted(secret)},`,
        `        redirect_uri: ${singleQuoted(redirectUri(base))},`,
        "        gitlab: { groups_attribute: 'groups' }",
        '      }',
        '    }',
        '  }',
        ']',
      ),
    },
    { title: 'Shell', text: linesOf('sudo gitlab-ctl reconfigure') },
  ],
  hint: 'GitLab uses groups only with a paid plan: add required_groups, external_groups or admin_groups after groups_attribute.',
};
