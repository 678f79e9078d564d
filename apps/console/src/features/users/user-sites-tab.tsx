import { siteLabel, type UserSite } from '@opensocial/contract';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams } from 'react-router';
import { toUserAccess } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../api/session/network-details.ts';
import { wholeListQuery } from '../../api/transport/whole-list-query.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { SiteName } from '../../patterns/site-name/site-name.tsx';
import { StateBadge, StateDot } from '../../patterns/state-mark/state-mark.tsx';
import { reloadUserSites, removeSiteFromUser, userSitesQuery } from './users.api.ts';

const statusColumn: Column<UserSite> = {
  id: 'status',
  header: 'status',
  width: 110,
  wideOnly: true,
  cell: ({ status }) => <StateBadge tone={status === 'Active' ? 'good' : 'quiet'}>{status}</StateBadge>,
};

const nameColumn: Column<UserSite> = {
  id: 'name',
  header: 'site name',
  cell: (site) => <SiteName site={site} />,
};

const modeColumn: Column<UserSite> = {
  id: 'mode',
  header: 'site mode',
  width: 120,
  cell: ({ site_mode }) => <StateDot tone={site_mode === 'Open' ? 'good' : 'warn'}>{site_mode}</StateDot>,
};

const columns: readonly Column<UserSite>[] = [
  statusColumn,
  {
    ...nameColumn,
    cell: (site) => <SiteName site={site} narrowWords={[site.status]} />,
  },
  modeColumn,
];

/** §2.8, Sites tab. */
export function UserSitesTab() {
  const network = useAdminNetwork();
  const id = Number(useParams()['user_id']);
  const { search } = useLocation();
  const { data: details } = useQuery(networkDetailsQuery(network));
  const isVisited = details?.mode === 'Visited';
  return (
    <MemberList
      label="Sites of the user"
      query={(view) => wholeListQuery(userSitesQuery(network, id), view.search, siteLabel)}
      columns={isVisited ? [nameColumn, modeColumn] : columns}
      nameOf={siteLabel}
      count={(loaded, total) => `${loaded} of ${total} sites`}
      emptyText="There is no user bound with this site"
      emptyHint={
        isVisited
          ? 'This user has not tried to sign in to any site yet.'
          : 'Every site is restricted to groups that this user is not in.'
      }
      isStopped={({ site_mode }) => site_mode === 'Closed'}
      actions={[
        {
          id: 'access',
          icon: () => IconKey,
          label: (site) => `Check access to ${siteLabel(site)}`,
          to: (site) => ({ pathname: toUserAccess(network.name, id, site.id), search }),
        },
      ]}
      {...(isVisited && {
        removal: {
          noun: 'site',
          from: 'the desktop of the user',
          act: (site: UserSite) => removeSiteFromUser(network, id, site.id),
          onReload: () => void reloadUserSites(network, id),
        },
      })}
    />
  );
}
