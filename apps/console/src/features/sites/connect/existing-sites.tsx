import { Anchor } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type SiteRow, siteTitle } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { toSiteTab } from '../sites.links.ts';
import { foundSitesQuery } from './existing-sites.api.ts';

/** In milliseconds. A search begins when the person pauses. */
const pause = 300;

/** The sites that a search for a text finds, and that fulfil a condition. */
const useFoundSites = (text: string, isMeant: (site: SiteRow) => boolean): SiteRow[] => {
  const network = useAdminNetwork();
  const [search] = useDebouncedValue(text, pause);
  const { data = [] } = useQuery(foundSitesQuery(network, search));
  return data.filter(isMeant);
};

type LinksProps = { sites: readonly SiteRow[] };

function Links({ sites }: LinksProps) {
  const network = useAdminNetwork();
  return sites.map((site, index) => (
    <span key={site.id}>
      {index > 0 && ', '}
      <Anchor component={Link} inherit to={toSiteTab(network.name, site, 'sso')}>
        {siteTitle(site)}
      </Anchor>
    </span>
  ));
}

/** Says that a site at the host of an application exists, so that an application is not registered twice by mistake. */
export function SitesAtHost({ domain }: { domain: string }) {
  const sites = useFoundSites(domain, (site) => site.domain.toLowerCase() === domain.toLowerCase());
  if (sites.length === 0) return null;
  return (
    <FormWarning>
      <span>
        {sites.length === 1 ? 'A site' : 'Sites'} at {domain} {sites.length === 1 ? 'is' : 'are'} registered already:{' '}
        <Links sites={sites} />. Add another one only if it is another application on the same host.
      </span>
    </FormWarning>
  );
}

/** Says that a name is used, because people could not tell the tiles apart. */
export function SitesOfName({ name }: { name: string }) {
  const wanted = name.trim().toLowerCase();
  const sites = useFoundSites(name.trim(), (site) => site.site_name.trim().toLowerCase() === wanted);
  if (sites.length === 0) return null;
  return (
    <FormWarning>
      <span>
        <Links sites={sites} /> has the same name, so people would see two equal tiles. Choose a name that tells them
        apart.
      </span>
    </FormWarning>
  );
}
