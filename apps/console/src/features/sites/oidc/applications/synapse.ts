import { linesOf, providerLabel, providerName } from '../../recipes/configuration.ts';
import { yamlText } from '../../recipes/quoting.ts';
import type { Application } from './application.ts';

export const synapse: Application = {
  id: 'synapse',
  name: 'Matrix (Synapse)',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [`${base}/_synapse/client/oidc/callback`],
  backChannel: (base) => `${base}/_synapse/client/oidc/backchannel_logout`,
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
