import { linesOf, providerName } from '../../recipes/configuration.ts';
import { shellText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

export const gitea: Application = {
  id: 'gitea',
  name: 'Gitea or Forgejo',
  authentication: 'secret',
  // Forgejo uses PKCE; Gitea does not.
  usesPkce: false,
  redirectUris: (base) => [`${base}/user/oauth2/${providerName}/callback`],
  configure: ({ client_id, secret, endpoints }) => [
    {
      title: 'Shell, as the user of Gitea (for Forgejo: forgejo instead of gitea)',
      text: linesOf(
        'gitea admin auth add-oauth \\',
        '  --provider=openidConnect \\',
        `  --name=${providerName} \\`,
        `  --key=${shellText(client_id)} \\`,
        `  --secret=${shellText(secret)} \\`,
        `  --auto-discover-url=${shellText(endpoints.discovery)} \\`,
        ...scopes.map((scope) => `  --scopes=${scope} \\`),
        '  --group-claim-name=groups \\',
        '  --admin-group=gitea-admins',
      ),
    },
    {
      title: 'app.ini',
      text: linesOf(
        '[oauth2_client]',
        'ENABLE_AUTO_REGISTRATION = true',
        'USERNAME = email',
        'ACCOUNT_LINKING = login',
        '',
        '[service]',
        'ALLOW_ONLY_EXTERNAL_REGISTRATION = true',
      ),
    },
  ],
  hint: 'Members of the group gitea-admins become administrators; change its name or leave the line out. The name of the source is part of the redirect URL.',
};
