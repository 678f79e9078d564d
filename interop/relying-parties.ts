import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOidcSite, type OidcSiteDraft } from '@opensocial/contract';
import { address, type IdentityProvider, network } from './identity-provider.ts';
import { portal, portalPage, startLemonLdap } from './lemonldap.ts';
import { answers, start } from './programs.ts';

const issuer = `${address}/oidc/${network}`;

export type RelyingParty = {
  name: string;
  /** A page that needs a session, and then shows the address of the person, which the pattern finds. */
  page: string;
  person: RegExp;
  /** The same page, with a request that has `prompt=none`, and with one that has `max_age=0` or `prompt=login`. */
  silent: string;
  forced: string;
  /** Where it begins a logout, and what it shows at the end. */
  logout: string;
  goodbye: string;
  /** What it registers as an administrator enters it. */
  draft: Partial<OidcSiteDraft> & Pick<OidcSiteDraft, 'domain' | 'redirect_uris'>;
};

const [apache, authlib] = ['http://127.0.0.1:4816', 'http://127.0.0.1:4817'];

export const apacheParty: RelyingParty = {
  name: 'mod_auth_openidc',
  page: `${apache}/private/`,
  person: /signed in as (\S+)/,
  silent: `${apache}/silent/`,
  forced: `${apache}/forced/`,
  logout: `${apache}/callback?logout=${encodeURIComponent(`${apache}/`)}`,
  goodbye: 'signed out',
  draft: {
    domain: 'openidc.example.org',
    redirect_uris: [`${apache}/callback`],
    post_logout_uris: [`${apache}/`],
    backchannel_logout_uri: `${apache}/callback?logout=backchannel`,
    algorithm: 'ES256',
  },
};
export const authlibParty: RelyingParty = {
  name: 'Authlib',
  page: `${authlib}/private`,
  person: /signed in as (\S+)/,
  silent: `${authlib}/private?prompt=none`,
  forced: `${authlib}/private?max_age=0`,
  logout: `${authlib}/logout`,
  goodbye: 'signed out',
  draft: {
    domain: 'authlib.example.org',
    redirect_uris: [`${authlib}/callback`],
    post_logout_uris: [`${authlib}/bye`],
    backchannel_logout_uri: `${authlib}/backchannel`,
    allows_offline: true,
  },
};

/** It has a page for the back channel, which says that this is not implemented. */
export const lemonParty: RelyingParty = {
  name: 'LemonLDAP::NG',
  page: portalPage('usual'),
  person: /Connected as<\/span>\s*(\S+)/,
  silent: portalPage('silent'),
  forced: portalPage('forced'),
  logout: `${portal}?logout=1`,
  // The number of its message "You have been disconnected".
  goodbye: 'trmsg="47"',
  draft: {
    domain: 'lemonldap.example.org',
    redirect_uris: [`${portal}?openidconnectcallback=1`],
    post_logout_uris: [`${portal}?logout=1`],
    backchannel_logout_uri: `${portal}oauth2/blogout`,
    requires_pkce: false,
  },
};

const page = `<?php echo 'signed in as ' . ($_SERVER['OIDC_CLAIM_email'] ?? '');`;

type Registered = { client_id: string; secret: string };

const apacheConfig = (folder: string, { client_id, secret }: Registered): string => `
ServerRoot /usr/lib/apache2
ServerName 127.0.0.1
PidFile ${folder}/openidc.pid
ErrorLog ${folder}/openidc-error.log
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
Listen 127.0.0.1:4816
DocumentRoot ${folder}/openidc
OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${client_id}
OIDCClientSecret ${secret}
OIDCRedirectURI ${apache}/callback
OIDCCryptoPassphrase "a passphrase for tests only"
OIDCScope "openid email profile groups offline_access"
OIDCPKCEMethod S256
OIDCInfoHook access_token refresh_token userinfo
OIDCIDTokenSignedResponseAlg ES256
# Otherwise it sends only requests that look like those of a browser to the provider.
OIDCUnAuthAction auth true
<Location />
  Require all granted
</Location>
<Location /private>
  AuthType openid-connect
  Require valid-user
</Location>
<Location /silent>
  AuthType openid-connect
  Require valid-user
  OIDCPathAuthRequestParams prompt=none
</Location>
<Location /forced>
  AuthType openid-connect
  Require valid-user
  OIDCPathAuthRequestParams max_age=0
</Location>
<Location /callback>
  AuthType openid-connect
  Require valid-user
</Location>
`;

const startApache = async (folder: string, registered: Registered): Promise<void> => {
  for (const name of ['', 'private', 'silent', 'forced']) {
    await mkdir(join(folder, 'openidc', name), { recursive: true });
    await writeFile(join(folder, 'openidc', name, 'index.php'), name === '' ? 'signed out' : page);
  }
  await writeFile(join(folder, 'openidc.conf'), apacheConfig(folder, registered));
  start('/usr/sbin/apache2', ['-DFOREGROUND', '-f', join(folder, 'openidc.conf')]);
  await answers(`${apache}/`);
};

const startAuthlib = async ({ client_id, secret }: Registered): Promise<void> => {
  const program = join(import.meta.dirname, 'authlib', 'client.py');
  start('/usr/bin/python3', [program, authlib, issuer, client_id, secret]);
  await answers(`${authlib}/bye`);
};

/** Registers the relying parties through the API, as an administrator does, and starts them. */
export const startRelyingParties = async (folder: string, { call }: IdentityProvider) => {
  const register = ({ draft }: RelyingParty) =>
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
  await startApache(folder, await register(apacheParty));
  await startAuthlib(await register(authlibParty));
  await startLemonLdap(folder, { issuer, ...(await register(lemonParty)) });
  return [apacheParty, authlibParty, lemonParty];
};
