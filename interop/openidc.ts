import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOidcSite, type OidcSiteDraft } from '@opensocial/contract';
import { address, type IdentityProvider, network } from './identity-provider.ts';
import { answers, start } from './programs.ts';

export const issuer = `${address}/oidc/${network}`;

export type ClientDraft = Partial<OidcSiteDraft> & Pick<OidcSiteDraft, 'domain' | 'redirect_uris'>;

/** Registers a client of OpenID Connect through the API, as an administrator does. */
export const registerClient = ({ call }: Pick<IdentityProvider, 'call'>, draft: ClientDraft) =>
  call(createOidcSite, {
    params: { server_name: network },
    body: {
      authentication: 'secret',
      post_logout_uris: [],
      backchannel_logout_uri: '',
      frontchannel_logout_uri: '',
      algorithm: 'RS256',
      requires_pkce: true,
      allows_offline: false,
      jwks: null,
      jwks_uri: '',
      ...draft,
    },
  });

/** An Apache with mod_auth_openidc. */
export type Apache = {
  /** The folder for its files, which are named after the instance. */
  folder: string;
  name: string;
  base: string;
  client: { client_id: string; secret: string };
  redirectUri: string;
  scope: string;
  /** Further directives of the server. */
  directives?: string;
  /** The paths that need a session, with further directives. Each has a page that names the person. */
  paths: Readonly<Record<string, string>>;
};

/** The page of the server without a path is for everybody. */
const configOf = ({ folder, name, base, client, redirectUri, scope, directives = '', paths }: Apache): string => `
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile ${folder}/${name}.pid
ErrorLog ${folder}/${name}-error.log
LogLevel warn
Mutex file:${folder}
User www-data
Group www-data
LoadModule mpm_prefork_module modules/mod_mpm_prefork.so
LoadModule authz_core_module modules/mod_authz_core.so
LoadModule authn_core_module modules/mod_authn_core.so
LoadModule authz_user_module modules/mod_authz_user.so
LoadModule dir_module modules/mod_dir.so
LoadModule mime_module modules/mod_mime.so
LoadModule auth_openidc_module modules/mod_auth_openidc.so
LoadModule php_module modules/libphp8.2.so
TypesConfig /etc/mime.types
DirectoryIndex index.php
<FilesMatch \\.php$>
  SetHandler application/x-httpd-php
</FilesMatch>
Listen ${new URL(base).host}
DocumentRoot ${folder}/${name}
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${client.client_id}
OIDCClientSecret ${client.secret}
OIDCRedirectURI ${redirectUri}
OIDCCryptoPassphrase "a passphrase for tests only"
OIDCScope "${scope}"
OIDCPKCEMethod S256
# Otherwise it sends only requests that look like those of a browser to the provider.
OIDCUnAuthAction auth true
${directives}
<Location />
  Require all granted
</Location>
${Object.entries({ ...paths, [new URL(redirectUri).pathname.slice(1)]: '' })
  .map(
    ([path, further]) => `<Location /${path}>
  AuthType openid-connect
  Require valid-user
  ${further}
</Location>`,
  )
  .join('\n')}
`;

const page = `<?php echo 'signed in as ' . ($_SERVER['OIDC_CLAIM_email'] ?? '');`;

/** Starts an Apache with mod_auth_openidc, and waits until it answers. */
export const startApache = async (apache: Apache): Promise<ChildProcess> => {
  const { folder, name, base, paths } = apache;
  for (const path of ['', ...Object.keys(paths)]) {
    await mkdir(join(folder, name, path), { recursive: true });
    await writeFile(join(folder, name, path, 'index.php'), path === '' ? 'signed out' : page);
  }
  await writeFile(join(folder, `${name}.conf`), configOf(apache));
  const process = start('/usr/sbin/apache2', ['-DFOREGROUND', '-f', join(folder, `${name}.conf`)]);
  await answers(`${base}/`);
  return process;
};
