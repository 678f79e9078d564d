import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shibbolethAttributes, shibbolethConfig, simpleSamlConfigs } from './configurations.ts';
import { answers, makeKeyPair, start } from './programs.ts';

export type ServiceProvider = {
  name: string;
  domain: string;
  /** A page that needs a session, and then shows "signed in as" with the name. */
  page: string;
  metadata: string;
  /** Where the service provider begins a single logout. */
  logout: string;
};

/** Another host than that of the identity provider, so that cookies are separate, as usual. */
export const host = '127.0.0.1';

const ports = { mellon: 4811, shibboleth: 4812, simplesamlphp: 4813, pysaml2: 4814 };
const at = (name: keyof typeof ports, path: string) => `http://127.0.0.1:${ports[name]}${path}`;

const mellon: ServiceProvider = {
  name: 'mod_auth_mellon',
  domain: 'mellon.example.org',
  page: at('mellon', '/private/'),
  metadata: at('mellon', '/mellon/metadata'),
  logout: at('mellon', '/mellon/logout?ReturnTo=/'),
};
const shibboleth: ServiceProvider = {
  name: 'Shibboleth SP',
  domain: 'shibboleth.example.org',
  page: at('shibboleth', '/private/'),
  metadata: at('shibboleth', '/Shibboleth.sso/Metadata'),
  logout: at('shibboleth', '/Shibboleth.sso/Logout?return=/'),
};
const simpleSamlPhp: ServiceProvider = {
  name: 'SimpleSAMLphp',
  domain: 'simplesamlphp.example.org',
  page: at('simplesamlphp', '/private/'),
  metadata: at('simplesamlphp', '/simplesaml/module.php/saml/sp/metadata.php/default-sp'),
  logout: at('simplesamlphp', '/private/?logout'),
};
const pysaml2: ServiceProvider = {
  name: 'pysaml2',
  domain: 'pysaml2.example.org',
  page: at('pysaml2', '/private'),
  metadata: at('pysaml2', '/metadata'),
  logout: at('pysaml2', '/logout'),
};

export const serviceProviders = [mellon, shibboleth, simpleSamlPhp, pysaml2];

const pages = {
  mellon: `<?php echo 'signed in as ' . $_SERVER['MELLON_email'];`,
  shibboleth: `<?php echo 'signed in as ' . ($_SERVER['email'] ?? '') ;`,
  simplesamlphp: `<?php
require '/usr/share/simplesamlphp/lib/_autoload.php';
$person = new \\SimpleSAML\\Auth\\Simple('default-sp');
if (isset($_GET['logout'])) $person->logout(['ReturnTo' => 'http://127.0.0.1:${ports.simplesamlphp}/']);
$person->requireAuth();
echo 'signed in as ' . $person->getAttributes()['email'][0];`,
};

const apacheConfig = (folder: string): string => `
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
ErrorLog ${folder}/apache-error.log
LogLevel warn
Mutex file:${folder}
User www-data
Group www-data
${Object.entries({
  mpm_prefork: 'mod_mpm_prefork',
  authz_core: 'mod_authz_core',
  authn_core: 'mod_authn_core',
  authz_user: 'mod_authz_user',
  alias: 'mod_alias',
  dir: 'mod_dir',
  mime: 'mod_mime',
  env: 'mod_env',
  auth_mellon: 'mod_auth_mellon',
  mod_shib: 'mod_shib',
  php: 'libphp8.2',
})
  .map(([name, file]) => `LoadModule ${name === 'mod_shib' ? name : `${name}_module`} modules/${file}.so`)
  .join('\n')}
TypesConfig /etc/mime.types
StartServers 4
MaxRequestWorkers 24
# A restart closes connections that are kept open, which a client may be about to use.
KeepAlive Off
<FilesMatch \\.php$>
  SetHandler application/x-httpd-php
</FilesMatch>
DirectoryIndex index.php
ShibConfig ${folder}/shibboleth2.xml
ShibCompatValidUser On
${Object.values(ports)
  .slice(0, 3)
  .map((port) => `Listen 127.0.0.1:${port}`)
  .join('\n')}
<VirtualHost *:${ports.mellon}>
  ServerName http://127.0.0.1:${ports.mellon}
  UseCanonicalName On
  DocumentRoot ${folder}/mellon
  <Location />
    Require all granted
    MellonEnable info
    MellonEndpointPath /mellon
    MellonSPPrivateKeyFile ${folder}/key.pem
    MellonSPCertFile ${folder}/cert.pem
    MellonIdPMetadataFile ${folder}/idp.xml
    MellonSecureCookie On
    MellonCookieSameSite none
    MellonSignatureMethod rsa-sha256
  </Location>
  <Location /private>
    AuthType Mellon
    MellonEnable auth
    Require valid-user
  </Location>
</VirtualHost>
<VirtualHost *:${ports.shibboleth}>
  ServerName http://127.0.0.1:${ports.shibboleth}
  UseCanonicalName On
  DocumentRoot ${folder}/shibboleth
  <Location />
    Require all granted
  </Location>
  <Location /private>
    AuthType shibboleth
    ShibRequestSetting requireSession 1
    Require shib-session
  </Location>
  <Location /Shibboleth.sso>
    SetHandler shib
  </Location>
</VirtualHost>
<VirtualHost *:${ports.simplesamlphp}>
  ServerName http://127.0.0.1:${ports.simplesamlphp}
  UseCanonicalName On
  DocumentRoot ${folder}/simplesamlphp
  SetEnv SIMPLESAMLPHP_CONFIG_DIR ${folder}/simplesaml-config
  Alias /simplesaml /usr/share/simplesamlphp/www
  <Location />
    Require all granted
  </Location>
</VirtualHost>
`;

/**
 * Gives new metadata of the identity provider to all service providers while they run. Shibboleth and SimpleSAMLphp notice that the file
 * has changed.
 */
export const refreshMetadata = async (folder: string, metadata: string): Promise<void> => {
  // A service provider must not read half of the file.
  await writeFile(join(folder, 'idp.xml.new'), metadata);
  await rename(join(folder, 'idp.xml.new'), join(folder, 'idp.xml'));
  process.kill(Number(await readFile(join(folder, 'apache.pid'), 'utf8')), 'SIGUSR1');
  await fetch(at('pysaml2', '/reload'));
};

const pysaml2Program = join(import.meta.dirname, 'pysaml2', 'provider.py');

/** Starts another pysaml2 with options. */
export const startPysaml2 = async (
  folder: string,
  { port, ...options }: { port: number } & Record<string, number | boolean>,
): Promise<ServiceProvider> => {
  const base = `http://${host}:${port}`;
  start('/usr/bin/python3', [pysaml2Program, folder, base, JSON.stringify(options)]);
  await answers(`${base}/metadata`);
  return {
    name: 'pysaml2',
    domain: `pysaml2-${port}.example.org`,
    page: `${base}/private`,
    metadata: `${base}/metadata`,
    logout: `${base}/logout`,
  };
};

/** Starts all service providers, which trust the identity provider with the given metadata. */
export const startServiceProviders = async (
  folder: string,
  { entityId, metadata }: { entityId: string; metadata: string },
): Promise<void> => {
  await makeKeyPair(folder);
  await chmod(join(folder, 'key.pem'), 0o644);
  await writeFile(join(folder, 'idp.xml'), metadata);
  for (const [name, page] of Object.entries(pages)) {
    await mkdir(join(folder, name, 'private'), { recursive: true });
    await writeFile(join(folder, name, 'index.php'), 'signed out');
    await writeFile(join(folder, name, 'private', 'index.php'), page);
  }
  await mkdir(join(folder, 'simplesaml-config'));
  await mkdir(join(folder, 'simplesaml-temp'));
  await chmod(join(folder, 'simplesaml-temp'), 0o777);
  for (const [file, text] of Object.entries(
    simpleSamlConfigs({ folder, entityId, base: at('simplesamlphp', '/simplesaml/') }),
  ))
    await writeFile(join(folder, 'simplesaml-config', file), text);
  await writeFile(
    join(folder, 'shibboleth2.xml'),
    shibbolethConfig({ folder, entityId, base: at('shibboleth', '/shibboleth') }),
  );
  await writeFile(join(folder, 'apache2.conf'), apacheConfig(folder));
  await writeFile(join(folder, 'attribute-map.xml'), shibbolethAttributes);
  start('/usr/sbin/shibd', ['-F', '-f', '-c', join(folder, 'shibboleth2.xml'), '-p', join(folder, 'shibd.pid')]);
  start('/usr/sbin/apache2', ['-DFOREGROUND', '-f', join(folder, 'apache2.conf')]);
  start('/usr/bin/python3', [pysaml2Program, folder, at('pysaml2', '')]);
  await Promise.all(serviceProviders.map((provider) => answers(provider.metadata)));
};
