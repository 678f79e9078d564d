import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answers, start } from './programs.ts';

export const portal = 'http://127.0.0.1:4818/';

/** The session that a browser has at the portal, as JSON. */
export const portalSession = `${portal}session/my/global`;

type Provider = { issuer: string; client_id: string; secret: string };

/** The portal sends the same parameters with every request to a provider, so each kind of request is a provider of its own. */
const requests = {
  usual: {},
  silent: { oidcOPMetaDataOptionsPrompt: 'none' },
  forced: { oidcOPMetaDataOptionsPrompt: 'login' },
};
export const portalPage = (request: keyof typeof requests): string => `${portal}?idp=${request}`;

const forEach = <T>(value: (options: object) => T) =>
  Object.fromEntries(Object.entries(requests).map(([name, options]) => [name, value(options)]));

/** The provider as an administrator enters it: the discovery document, the keys and the client. */
const providersOf = async ({ issuer, client_id, secret }: Provider) => {
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
  const { jwks_uri } = JSON.parse(metadata) as { jwks_uri: string };
  const jwks = await (await fetch(jwks_uri)).text();
  return {
    oidcOPMetaDataJSON: forEach(() => metadata),
    oidcOPMetaDataJWKS: forEach(() => jwks),
    oidcOPMetaDataExportedVars: forEach(() => ({ mail: 'email', cn: 'name', sn: 'family_name', groups: 'groups' })),
    oidcOPMetaDataOptions: forEach((options) => ({
      oidcOPMetaDataOptionsClientID: client_id,
      oidcOPMetaDataOptionsClientSecret: secret,
      oidcOPMetaDataOptionsScope: 'openid profile email groups',
      oidcOPMetaDataOptionsTokenEndpointAuthMethod: 'client_secret_basic',
      oidcOPMetaDataOptionsCheckJWTSignature: 1,
      oidcOPMetaDataOptionsUseNonce: 1,
      // It is the hint of the logout.
      oidcOPMetaDataOptionsStoreIDToken: 1,
      ...options,
    })),
  };
};

const storageIn = (folder: string) => ({ Directory: folder, LockDirectory: join(folder, 'lock') });

const configuration = async (folder: string, provider: Provider) => ({
  cfgNum: 1,
  cfgDate: Math.floor(Date.now() / 1_000),
  cfgVersion: '2.16.1',
  portal,
  domain: '127.0.0.1',
  cookieName: 'lemonldap',
  securedCookie: 0,
  authentication: 'OpenIDConnect',
  userDB: 'Same',
  passwordDB: 'Null',
  registerDB: 'Null',
  portalUserAttr: 'mail',
  whatToTrace: 'mail',
  restSessionServer: 1,
  exportedAttr: '+ mail cn sn _user',
  key: 'a key for tests only',
  exportedVars: {},
  macros: {},
  groups: {},
  locationRules: {},
  exportedHeaders: {},
  applicationList: {},
  globalStorage: 'Apache::Session::File',
  globalStorageOptions: storageIn(join(folder, 'sessions')),
  persistentStorage: 'Apache::Session::File',
  persistentStorageOptions: storageIn(join(folder, 'persistent')),
  localSessionStorage: '',
  ...(await providersOf(provider)),
});

const settings = (folder: string): string => `
[all]
logLevel = warn
logger = Lemonldap::NG::Common::Logger::Std
userLogger = Lemonldap::NG::Common::Logger::Std
[configuration]
type = File
dirName = ${folder}
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
`;

/** Starts the portal of LemonLDAP::NG, which signs people in through the provider. */
export const startLemonLdap = async (parent: string, provider: Provider): Promise<void> => {
  const folder = join(parent, 'lemonldap');
  for (const name of ['sessions', 'persistent']) await mkdir(join(folder, name, 'lock'), { recursive: true });
  await writeFile(join(folder, 'lmConf-1.json'), JSON.stringify(await configuration(folder, provider)));
  await writeFile(join(folder, 'lemonldap-ng.ini'), settings(folder));
  const { hostname, port } = new URL(portal);
  const listen = ['--host', hostname, '--port', port, '--env', 'deployment'];
  start('/usr/bin/plackup', [...listen, '-a', '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'], {
    env: { LLNG_DEFAULTCONFFILE: join(folder, 'lemonldap-ng.ini') },
    log: join(folder, 'portal.log'),
  });
  await answers(portal);
};
