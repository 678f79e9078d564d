import { join } from 'node:path';
import type { IdentityProvider } from './identity-provider.ts';
import { portal, portalPage, startLemonLdap } from './lemonldap.ts';
import { type ClientDraft, issuer, registerClient, startApache } from './openidc.ts';
import { answers, start } from './programs.ts';

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
  draft: ClientDraft;
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

type Registered = { client_id: string; secret: string };

const startOpenidc = (folder: string, client: Registered) =>
  startApache({
    folder,
    name: 'openidc',
    base: apache,
    client,
    redirectUri: `${apache}/callback`,
    scope: 'openid email profile groups offline_access',
    directives: 'OIDCInfoHook access_token refresh_token userinfo\nOIDCIDTokenSignedResponseAlg ES256',
    paths: {
      private: '',
      silent: 'OIDCPathAuthRequestParams prompt=none',
      forced: 'OIDCPathAuthRequestParams max_age=0',
    },
  });

const startAuthlib = async ({ client_id, secret }: Registered): Promise<void> => {
  const program = join(import.meta.dirname, 'authlib', 'client.py');
  start('/usr/bin/python3', [program, authlib, issuer, client_id, secret]);
  await answers(`${authlib}/bye`);
};

/** Registers the relying parties and starts them. */
export const startRelyingParties = async (folder: string, idp: IdentityProvider) => {
  const register = ({ draft }: RelyingParty) => registerClient(idp, draft);
  await startOpenidc(folder, await register(apacheParty));
  await startAuthlib(await register(authlibParty));
  await startLemonLdap(folder, { issuer, ...(await register(lemonParty)) });
  return [apacheParty, authlibParty, lemonParty];
};
