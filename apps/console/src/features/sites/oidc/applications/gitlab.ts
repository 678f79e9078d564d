import { type Application, linesOf, providerLabel, scopes } from './application.ts';
import { rubyText } from './quoting.ts';

const redirectUri = (domain: string): string => `https://${domain}/users/auth/openid_connect/callback`;

export const gitlab: Application = {
  id: 'gitlab',
  name: 'GitLab',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (domain) => [redirectUri(domain)],
  configure: ({ domain, client_id, secret, endpoints }) => [
    {
      title: '/etc/gitlab/gitlab.rb',
      text: linesOf(
        "gitlab_rails['omniauth_enabled'] = true",
        "gitlab_rails['omniauth_allow_single_sign_on'] = ['openid_connect']",
        "gitlab_rails['omniauth_block_auto_created_users'] = false",
        "gitlab_rails['omniauth_providers'] = [",
        '  {',
        "    name: 'openid_connect', # GitLab needs this name.",
        `    label: ${rubyText(providerLabel)},`,
        '    args: {',
        "      name: 'openid_connect',",
        `      scope: [${scopes.map(rubyText).join(', ')}],`,
        "      response_type: 'code',",
        `      issuer: ${rubyText(endpoints.issuer)},`,
        '      discovery: true,',
        "      client_auth_method: 'basic',",
        "      uid_field: 'sub',",
        '      send_scope_to_token_endpoint: false,',
        '      pkce: true,',
        '      client_options: {',
        `        identifier: ${rubyText(client_id)},`,
        `        secret: ${rubyText(secret)},`,
        `        redirect_uri: ${rubyText(redirectUri(domain))},`,
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
