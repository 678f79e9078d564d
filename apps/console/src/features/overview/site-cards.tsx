import { Skeleton } from '@mantine/core';
import { type Overview, siteTitle } from '@opensocial/contract';
import { Link } from 'react-router';
import { toSiteDetails, toSiteSso } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { countOf, formatDate, formatDay, formatNumber } from '../../patterns/format/format.ts';
import { OverviewCard } from './overview-card.tsx';
import classes from './overview-rows.module.css';

type SitesProps = { sites: Overview['sites'] | undefined };

/** The sites with most successful sign-ins in the whole log. */
export function MostUsedCard({ sites }: SitesProps) {
  const network = useAdminNetwork();
  const since = sites?.since;
  const isMain = network.name === mainNetwork;
  const note = since && `Sign-ins since ${formatDay(since)}${isMain ? ', without those to this console' : ''}`;
  return (
    <OverviewCard title="Most used sites" {...(note && { note })}>
      {!sites ? (
        <Skeleton height={220} />
      ) : sites.most_used.length === 0 ? (
        <p className={classes.empty}>
          {isMain
            ? 'Nobody has signed in to a site of this network yet. The numbers above are sign-ins to this console, which is not in this list.'
            : 'Nobody has signed in to a site successfully yet.'}
        </p>
      ) : (
        <ol className={classes.rows}>
          {sites.most_used.map((site) => (
            <li key={site.id} className={classes.row}>
              <Link className={classes.name} to={toSiteDetails(network.name, site)}>
                {siteTitle(site)}
              </Link>
              <span className={classes.figure}>
                {formatNumber(site.succeeded)}
                <span className={classes.aside}>{site.failed > 0 && `${formatNumber(site.failed)} failed`}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </OverviewCard>
  );
}

/** The sites that nobody has ever signed in to. */
export function NeverUsedCard({ sites }: SitesProps) {
  const network = useAdminNetwork();
  const unused = sites?.never_used;
  return (
    <OverviewCard
      title="Never used sites"
      {...(unused && unused.total > 0 && { note: `${countOf(unused.total, 'site', 'sites')} without a sign-in` })}
    >
      {!unused ? (
        <Skeleton height={220} />
      ) : unused.total === 0 ? (
        <p className={classes.empty}>
          {sites?.total === 0 ? 'This network has no sites yet.' : 'Somebody has signed in to every site.'}
        </p>
      ) : (
        <ul className={classes.rows}>
          {unused.sites.map((site) => (
            <li key={site.id} className={classes.row}>
              <Link className={classes.name} to={toSiteSso(network.name, site)}>
                {siteTitle(site)}
              </Link>
              <span className={classes.aside}>added {formatDate(site.created_at)}</span>
            </li>
          ))}
        </ul>
      )}
    </OverviewCard>
  );
}
