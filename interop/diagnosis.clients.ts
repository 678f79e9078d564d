import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOidcSite, type OidcClientWithSecret } from '@opensocial/contract';
import { checkFinding, checkSolved, type Diagnosed } from './diagnosis.findings.ts';
import { address, network } from './identity-provider.ts';
import { answers, start } from './programs.ts';
import type { World } from './report.ts';

const base = 'http://127.0.0.1:4818';
const issuer = `${address}/oidc/${network}`;

type Settings = { client_id: string; secret: string; redirect: string };

const configOf = (folder: string, { client_id, secret, redirect }: Settings): string => `
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile ${folder}/diagnosis.pid
ErrorLog ${folder}/diagnosis-error.log
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
Listen 127.0.0.1:4818
DocumentRoot ${folder}/diagnosis-pages
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${client_id}
OIDCClientSecret ${secret}
OIDCRedirectURI ${redirect}
OIDCCryptoPassphrase "a passphrase for tests only"
OIDCScope "openid email profile"
OIDCPKCEMethod S256
OIDCUnAuthAction auth true
<Location />
  Require all granted
</Location>
<Location /private>
  AuthType openid-connect
  Require valid-user
</Location>
<Location /callback>
  AuthType openid-connect
  Require valid-user
</Location>
<Location /other-callback>
  AuthType openid-connect
  Require valid-user
</Location>
`;

/** Runs mod_auth_openidc with these settings while the work is done. */
const withApache = async (folder: string, settings: Settings, work: () => Promise<unknown>): Promise<void> => {
  await writeFile(join(folder, 'diagnosis.conf'), configOf(folder, settings));
  const apache = start('/usr/sbin/apache2', ['-DFOREGROUND', '-f', join(folder, 'diagnosis.conf')]);
  try {
    await answers(`${base}/`);
    await work();
  } finally {
    const ended = new Promise((resolve) => void apache.once('exit', resolve));
    apache.kill('SIGTERM');
    await ended;
  }
};

const register = (world: World): Promise<OidcClientWithSecret> =>
  world.idp.call(createOidcSite, {
    params: { server_name: network },
    body: {
      domain: 'diagnosis.example.org',
      authentication: 'secret',
      redirect_uris: [`${base}/callback`],
      post_logout_uris: [],
      backchannel_logout_uri: '',
      frontchannel_logout_uri: '',
      algorithm: 'RS256',
      requires_pkce: true,
      allows_offline: false,
      jwks: null,
      jwks_uri: '',
    },
  });

/** Mistakes in the settings of mod_auth_openidc. */
export const checkClientDiagnosis = async (world: World): Promise<void> => {
  const { folder, idp } = world;
  for (const [name, text] of [
    ['', 'signed out'],
    ['private', `<?php echo 'signed in as ' . ($_SERVER['OIDC_CLAIM_email'] ?? '');`],
  ] as const) {
    await mkdir(join(folder, 'diagnosis-pages', name), { recursive: true });
    await writeFile(join(folder, 'diagnosis-pages', name, 'index.php'), text);
  }
  const { id, client_id, secret } = await register(world);
  const target: Diagnosed = { idp, name: 'mod_auth_openidc', page: `${base}/private/`, siteId: id };
  const right = { client_id, secret, redirect: `${base}/callback` };
  await withApache(folder, { ...right, redirect: `${base}/other-callback` }, () =>
    checkFinding(target, 'wrong redirect URI', 'redirect_uri_unregistered'),
  );
  await withApache(folder, { ...right, client_id: 'apache' }, () =>
    checkFinding(target, 'wrong client id', 'client_unknown'),
  );
  await withApache(folder, { ...right, secret: 'another-secret-of-the-same-application' }, () =>
    checkFinding(target, 'wrong client secret', 'secret_wrong'),
  );
  await withApache(folder, right, () => checkSolved(target, 'wrong client secret', 'secret_wrong'));
};
