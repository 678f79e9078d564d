import { siteTitle } from '@opensocial/contract';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation, useParams } from 'react-router';
import { imageAddress } from '../../api/links/image-address.ts';
import { toSites } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { isGone } from '../../api/transport/is-gone.ts';
import { SiteLogo } from '../../patterns/default-image/site-logo.tsx';
import { ErrorPanel } from '../../patterns/error-panel/error-panel.tsx';
import { Notice } from '../../patterns/notice/notice.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { siteQuery } from './sites.api.ts';
import { toSiteTab } from './sites.links.ts';

const commonTabs = [
  ['Groups', 'groups'],
  ['Users', 'users'],
  ['Access', 'access'],
  ['Activity', 'activity'],
] as const;

/** The tabs of each protocol, in their order. */
const tabs = {
  saml: [
    ['Site Details', 'details'],
    ['Single sign-on', 'sso'],
    ['Attributes', 'attributes'],
    ...commonTabs,
    ['Metadata', 'metadata'],
  ],
  oidc: [['Site Details', 'details'], ['Single sign-on', 'sso'], ['Claims', 'attributes'], ...commonTabs],
} as const;

/** The tab that only sites with SAML have. */
const samlTab = 'metadata';

/** §2.7. */
export function SitePanel() {
  const network = useAdminNetwork();
  const { site_name: domain = '', site_id = '' } = useParams();
  const id = Number(site_id);
  const { data: site, ...query } = useQuery(siteQuery(id));
  const logo = site?.logo ? imageAddress({ network: network.name, kind: 'image', name: site.logo }) : undefined;
  const name = site ? siteTitle(site) : domain;
  const { pathname, search } = useLocation();
  const protocol = site?.protocol ?? 'saml';
  const isForeignTab = protocol === 'oidc' && pathname.endsWith(`/${samlTab}`);
  return (
    <SidePanel
      closeTo={toSites(network.name)}
      plate={<SiteLogo address={logo} />}
      wide={logo !== undefined}
      name={name}
      detail={name === domain ? undefined : domain}
      state={
        site && (
          <StateDot tone={site.site_mode === 'Open' ? 'good' : 'warn'}>
            {site.site_mode} · {site.status}
          </StateDot>
        )
      }
      tabs={tabs[protocol].map(([label, tab]) => ({ label, to: toSiteTab(network.name, { id, domain }, tab) }))}
    >
      {query.isLoadingError &&
        (isGone(query.error) ? (
          <Notice icon={<IconWorldOff />} title="This site was not found">
            It was deleted, or it belongs to another network.
          </Notice>
        ) : (
          <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />
        ))}
      {!query.isLoadingError && (isForeignTab ? <Navigate to={{ pathname: 'sso', search }} replace /> : <Outlet />)}
    </SidePanel>
  );
}
