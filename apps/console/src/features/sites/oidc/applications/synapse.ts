import { type Application, linesOf, providerLabel, providerName } from './application.ts';
import { yamlText } from './quoting.ts';

export const synapse: Application = {
  id: 'synapse',
  name: 'Matrix (Synapse)',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (domain) => [`https://${domain}/_synapse/client/oidc/callback`],
  backChannel: (domain) => `https://${domain}/_synapse/client/oidc/backchannel_logout`,
  configure: ({ client_id, secret, endpoints }) => [
    {
      title: 'homeserver.yaml',
      text: linesOf(
        'oidc_providers:',
        `  - idp_id: ${providerName}`,
        `    idp_name: ${yamlText(providerLabel)}`,
        `    issuer: ${yamlText(endpoints.issuer)}`,
        `    client_id: ${yamlText(client_id)}`,
        `    client_secret: ${yamlText(secret)}`,
        '    scopes: ["openid", "profile", "email", "groups"]',
        '    pkce_method: always',
        '    backchannel_logout_enabled: true',
        '    user_mapping_provider:',
        '      config:',
        '        display_name_template: "{{ user.name }}"',
        '        email_template: "{{ user.email }}"',
        '    # Only for a group:',
        '    # attribute_requirements:',
        '    #   - attribute: groups',
        '    #     value: "matrix-users"',
      ),
    },
  ],
  hint: 'People choose their Matrix name at their first sign-in. To let in only one group, remove the comment signs of the last lines.',
};
