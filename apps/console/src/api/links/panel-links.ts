/** Links to screens that several features use. */
export const toUserDetails = (network: string, id: number): string => toUserTab(network, id, 'details');

export const toUserGroups = (network: string, id: number): string => toUserTab(network, id, 'groups');

/** Why a user may or may not enter a site. */
export const toUserAccess = (network: string, id: number, siteId?: number): string =>
  toUserTab(network, id, siteId === undefined ? 'access' : `access/${siteId}`);

const toUserTab = (network: string, id: number, tab: string): string => `/sso-servers/${network}/users/${id}/${tab}`;

type SiteRef = { id: number; domain: string };

export const toSiteDetails = (network: string, site: SiteRef): string => toSiteTab(network, site, 'details');

export const toSiteGroups = (network: string, site: SiteRef): string => toSiteTab(network, site, 'groups');

/** Why a person may or may not enter a site. */
export const toSiteAccess = (network: string, site: SiteRef, userId?: number): string =>
  toSiteTab(network, site, userId === undefined ? 'access' : `access/${userId}`);

/** The name makes the address readable; the screen finds the site by its id. */
const toSiteTab = (network: string, { id, domain }: SiteRef, tab: string): string =>
  `/sso-servers/${network}/sites/${encodeURIComponent(domain)}/${id}/${tab}`;

export const toSettings = (network: string): string => `/sso-servers/${network}/settings`;

/** The configuration of the desktop. */
export const toUserDesktop = (network: string): string => `/sso-servers/${network}/desktop`;
