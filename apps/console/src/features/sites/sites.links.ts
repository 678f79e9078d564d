export const toSites = (network: string): string => `/sso-servers/${network}/sites`;

type SiteRef = { id: number; domain: string };

/** The name makes the address readable; the screen finds the site by its id. */
export const toSiteTab = (network: string, { id, domain }: SiteRef, tab: string): string =>
  `${toSites(network)}/${encodeURIComponent(domain)}/${id}/${tab}`;
