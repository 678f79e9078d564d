import { linesOf } from '../../recipes/configuration.ts';
import { shellText } from '../../recipes/quoting.ts';
import type { Application } from './application.ts';

const redirectUris = (base: string) => [
  `${base}/ui/vault/auth/oidc/oidc/callback`,
  'http://localhost:8250/oidc/callback',
];

export const vault: Application = {
  id: 'vault',
  name: 'HashiCorp Vault or OpenBao',
  authentication: 'secret',
  usesPkce: true,
  redirectUris,
  configure: ({ base, client_id, secret, endpoints }) => [
    {
      title: 'Shell (for OpenBao: bao instead of vault)',
      text: linesOf(
        'vault auth enable oidc',
        'vault write auth/oidc/config \\',
        `  oidc_discovery_url=${shellText(endpoints.issuer)} \\`,
        `  oidc_client_id=${shellText(client_id)} \\`,
        `  oidc_client_secret=${shellText(secret)} \\`,
        '  default_role=default',
        'vault write auth/oidc/role/default \\',
        ...redirectUris(base).map((uri) => `  allowed_redirect_uris=${shellText(uri)} \\`),
        '  user_claim=sub \\',
        '  groups_claim=groups \\',
        '  oidc_scopes=profile,email,groups \\',
        '  token_policies=default',
      ),
    },
  ],
  hint: 'To give policies to a group, make an external group in Vault with an alias of the name of the group here. The second redirect URL is for vault login on a computer of a person.',
};
