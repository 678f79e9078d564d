/** Links to screens that several features use. */
export const toUserDetails = (network: string, id: number): string => toUserTab(network, id, 'details');

export const toUserGroups = (network: string, id: number): string => toUserTab(network, id, 'groups');

/** Why a user may or may not enter a site. */
export const toUserAccess = (network: string, id: number, siteId?: number): string =>
  toUserTab(network, id, siteId === undefined ? 'access' : `access/${siteId}`);

/** What happened to a user. */
export const toUserTimeline = (network: string, id: number): string => toUserTab(network, id, 'timeline');

const toUserTab = (network: string, id: number, tab: string): string => `/sso-servers/${network}/users/${id}/${tab}`;

type SiteRef = { id: number; domain: string };

export const toSiteDetails = (network: string, site: SiteRef): string => toSiteTab(network, site, 'details');

export const toSiteGroups = (network: string, site: SiteRef): string => toSiteTab(network, site, 'groups');

/** The tab Single sign-on of a site. */
export const toSiteSso = (network: string, site: SiteRef): string => toSiteTab(network, site, 'sso');

/** Why a person may or may not enter a site. */
export const toSiteAccess = (network: string, site: SiteRef, userId?: number): string =>
  toSiteTab(network, site, userId === undefined ? 'access' : `access/${userId}`);

/** The name makes the address readable; the screen finds the site by its id. */
const toSiteTab = (network: string, { id, domain }: SiteRef, tab: string): string =>
  `/sso-servers/${network}/sites/${encodeURIComponent(domain)}/${id}/${tab}`;

export const toSettings = (network: string): string => `/sso-servers/${network}/settings`;

/** The configuration of the desktop. */
export const toUserDesktop = (network: string): string => `/sso-servers/${network}/desktop`;

export const toUsers = (network: string): string => `/sso-servers/${network}/users`;

/** The members who are not confirmed yet. */
export const toPendingUsers = (network: string): string => `${toUsers(network)}?status=NonConfirmed`;

export const toSites = (network: string): string => `/sso-servers/${network}/sites`;

/** The guide that connects an application. */
export const toConnect = (network: string): string => `/sso-servers/${network}/connect`;

export const toTemplates = (network: string): string => `/sso-servers/${network}/email-templates`;

/** What was deleted and can be restored. */
export const toTrash = (network: string): string => `/sso-servers/${network}/trash`;

/** The failed sign-ins of the selected network. */
/** The failed sign-ins of a span of time as the filters of the list take it, of all reasons or of one. */
export const toFailedSignIns = (span: { time: string } | { since: string }, reason?: string): string =>
  `/activity?${new URLSearchParams({ status: 'Failed', ...span, ...(reason && { reason }) })}`;
