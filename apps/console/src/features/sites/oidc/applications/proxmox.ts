import { linesOf, providerName } from '../../recipes/configuration.ts';
import { shellText } from '../../recipes/quoting.ts';
import { type Application, scopes } from './application.ts';

export const proxmox: Application = {
  id: 'proxmox',
  name: 'Proxmox VE',
  authentication: 'secret',
  usesPkce: true,
  // Proxmox answers at port 8006, and sends its own address without a path.
  redirectUris: (base) => [/:\d+$/.test(base) ? base : `${base}:8006`],
  configure: ({ client_id, secret, endpoints }) => [
    {
      title: 'Shell, on a node',
      text: linesOf(
        `pveum realm add ${providerName} --type openid \\`,
        `  --issuer-url ${shellText(endpoints.issuer)} \\`,
        `  --client-id ${shellText(client_id)} \\`,
        `  --client-key ${shellText(secret)} \\`,
        '  --username-claim email \\',
        `  --scopes ${shellText(scopes.join(' '))} \\`,
        '  --autocreate 1 \\',
        '  --groups-claim groups',
      ),
    },
  ],
  hint: `Groups need Proxmox VE 8.4; leave out the last line before. A group here is the group of the same name with -${providerName} at its end there. Give rights to groups, because new people have none. Behind a proxy, add its address without the port to the redirect URLs.`,
};
