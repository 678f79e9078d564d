import { toSites } from '../../api/links/panel-links.ts';

type SiteRef = { id: number; domain: string };

/** The name makes the address readable; the screen finds the site by its id. */
/** The sections of the tab Single sign-on that have an address. */
export const siteAnchors = { diagnosis: 'diagnosis', secrets: 'secrets' } as const;

export const toSiteTab = (network: string, { id, domain }: SiteRef, tab: string): string =>
  `${toSites(network)}/${encodeURIComponent(domain)}/${id}/${tab}`;

/** A section of the tab Single sign-on. */
export const toSiteSection = (network: string, site: SiteRef, section: keyof typeof siteAnchors): string =>
  `${toSiteTab(network, site, 'sso')}#${siteAnchors[section]}`;
