import { linesOf, providerLabel } from '../../recipes/configuration.ts';
import { shellText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

export const nextcloud: Application = {
  id: 'nextcloud',
  name: 'Nextcloud',
  authentication: 'secret',
  usesPkce: true,
  redirectUris: (base) => [`${base}/apps/user_oidc/code`],
  backChannel: (base) => `${base}/apps/user_oidc/backchannel-logout/${providerLabel}`,
  configure: ({ client_id, secret, endpoints }) => [
    {
      title: 'Shell, in the folder of Nextcloud',
      text: linesOf(
        'sudo -u www-data php occ app:install user_oidc',
        `sudo -u www-data php occ user_oidc:provider ${shellText(providerLabel)} \\`,
        `  --clientid=${shellText(client_id)} \\`,
        `  --clientsecret=${shellText(secret)} \\`,
        `  --discoveryuri=${shellText(endpoints.discovery)} \\`,
        `  --scope=${shellText(scopes.join(' '))} \\`,
        '  --mapping-uid=sub \\',
        '  --mapping-display-name=name \\',
        '  --mapping-email=email \\',
        '  --mapping-groups=groups \\',
        '  --group-provisioning=1',
      ),
    },
  ],
  hint: 'Needs the app "OpenID Connect user backend" (user_oidc). People join the groups of Nextcloud that have the names of their groups here. Without pretty URLs, the redirect URL begins with /index.php/apps.',
};
