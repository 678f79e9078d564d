import type { Config } from '../../../config.ts';
import type { sites } from '../../../database/schema.ts';
import type { Parts } from '../../../parts.ts';
import { oidcAddresses } from '../oidc/addresses.ts';
import { sidOf } from '../oidc/sid.ts';

type Site = typeof sites.$inferSelect;
type LogoutAddresses = Pick<Site, 'sls' | 'sls_binding' | 'sls_response'>;

/** The addresses of a site for SAML messages that the browser carries. Undefined if it has none. */
export const frontChannelOf = ({ sls, sls_binding, sls_response }: LogoutAddresses) =>
  sls === null || sls_binding === 'soap'
    ? undefined
    : { url: sls, binding: sls_binding, responseUrl: sls_response ?? sls };

/** The addresses of this machine that a Content-Security-Policy can name. */
const loopback = new Set(['localhost', '127.0.0.1']);

type Origin = Pick<Config, 'publicUrl' | 'isHttps'>;

/**
 * Whether a page of ours can load the address in a frame. Browsers block http in a page with https, except on this machine. Our own pages
 * cannot be framed.
 */
export const isFrameable = ({ publicUrl, isHttps }: Origin, address: string): boolean => {
  const url = URL.parse(address);
  if (!url || url.origin === new URL(publicUrl).origin) return false;
  return url.protocol === 'https:' || !isHttps || loopback.has(url.hostname);
};

/**
 * The page of a site that ends its session when a frame loads it: OpenID Connect Front-Channel Logout 1.0. Undefined if the site has none,
 * or has an address for messages between servers, which tell whether they arrived. A Content-Security-Policy cannot name an IPv6 address.
 */
export const framedPageOf = (config: Origin, { oidc }: Pick<Site, 'oidc'>): string | undefined => {
  if (!oidc || oidc.backchannel_logout_uri !== '' || oidc.frontchannel_logout_uri === '') return undefined;
  const page = oidc.frontchannel_logout_uri;
  return isFrameable(config, page) && !new URL(page).hostname.startsWith('[') ? page : undefined;
};

/** Whether the browser takes part in informing a site. */
export const hasFrontChannel = (config: Origin, site: Pick<Site, 'sls' | 'sls_binding' | 'oidc'>): boolean =>
  frontChannelOf({ ...site, sls_response: null }) !== undefined || framedPageOf(config, site) !== undefined;

/** Adds parameters to an address, whose own query stays as it is. */
export const withParameters = (address: string, parameters: Record<string, string>): string => {
  const url = new URL(address);
  const added = new URLSearchParams(parameters).toString();
  url.search = url.search === '' ? added : `${url.search}&${added}`;
  return url.href;
};

/** The address with which a frame tells a site which session ends. */
export const framedAddress = (
  parts: Pick<Parts, 'config' | 'persistentNames'>,
  page: string,
  { network, identity, sessionIndex }: { network: string; identity: string; sessionIndex: string },
): string =>
  withParameters(page, { iss: oidcAddresses(parts.config, network).issuer, sid: sidOf(parts, sessionIndex, identity) });
