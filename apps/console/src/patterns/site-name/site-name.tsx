import { siteLabel, siteTitle } from '@opensocial/contract';
import classes from './site-name.module.css';

type SiteNameProps = {
  site: { site_name: string; domain: string };
  /** What a list shows below the name if it is too narrow for more columns. */
  narrowWords?: readonly (string | false)[];
};

/** A site in a list: its name, and below it the domain. */
export function SiteName({ site, narrowWords }: SiteNameProps) {
  const title = siteTitle(site);
  const hasOwnName = title !== site.domain;
  const below = [hasOwnName && site.domain, ...(narrowWords ?? [])].filter(Boolean).join(' · ');
  return (
    <span className={classes.names} title={siteLabel(site)} data-narrows={narrowWords !== undefined || undefined}>
      <span className={classes.name}>{title}</span>
      {hasOwnName && <span className={classes.domain}>{site.domain}</span>}
      {narrowWords && <span data-narrow-only>{below}</span>}
    </span>
  );
}
