type NamedSite = { site_name: string; domain: string };

/** What people call a site. A site without a name of its own is called by its domain. */
export const siteTitle = ({ site_name, domain }: NamedSite): string => site_name.trim() || domain;

/** Identifies a site in one line, for example 'Reports (reports.northlab.org)'. Several sites may have the same name. */
export const siteLabel = (site: NamedSite): string => {
  const title = siteTitle(site);
  return title === site.domain ? title : `${title} (${site.domain})`;
};
