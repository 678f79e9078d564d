import { personLabel, type SiteUser } from '@opensocial/contract';
import { IconCircleMinus, IconKey, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { toSiteAccess, toUserDetails } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { networkDetailsQuery } from '../../api/session/network-details.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import classes from './site-users-tab.module.css';
import { reloadSiteUsers, removeUserFromSite, siteUsersQuery } from './users.api.ts';

const statusColumn: Column<SiteUser> = {
  id: 'status',
  header: 'Status',
  width: 64,
  cell: ({ status }) => {
    const isActive = status === 'Active';
    const StatusIcon = isActive ? IconUserCheck : IconUserOff;
    return (
      <span className={classes.status} data-active={isActive} title={isActive ? 'Active' : 'Disabled'}>
        <StatusIcon size={20} stroke={1.7} aria-hidden="true" />
        <span className="visually-hidden">{isActive ? 'Active' : 'Disabled'}</span>
      </span>
    );
  },
};

const nameColumns: readonly Column<SiteUser>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ fullname, email }) => (
      <span title={fullname}>
        {fullname}
        <span data-narrow-only>{email}</span>
      </span>
    ),
  },
  { id: 'email', header: 'Email', wideOnly: true, cell: ({ email }) => <span title={email}>{email}</span> },
];

const columns: readonly Column<SiteUser>[] = [statusColumn, ...nameColumns];

/** §2.7, Users tab: users can be removed from the site only in the network mode Visited. */
export function SiteUsersTab() {
  const network = useAdminNetwork();
  const { site_id, site_name: domain = '' } = useParams();
  const siteId = Number(site_id);
  const { search } = useLocation();
  const [removing, setRemoving] = useState<readonly SiteUser[]>();
  const { data: details } = useQuery(networkDetailsQuery(network));
  const isVisited = details?.mode === 'Visited';
  return (
    <>
      <PanelList
        label="Users of the site"
        query={(view) => siteUsersQuery(network, siteId, view.search)}
        columns={isVisited ? nameColumns : columns}
        nameOf={personLabel}
        count={(loaded, total) => `${loaded} of ${total} users`}
        emptyText="There is no user bound with this site"
        emptyHint="Its groups have no members yet."
        open={({ id }) => toUserDetails(network.name, id)}
        isStopped={({ status }) => status !== 'Active'}
        actions={[
          {
            id: 'access',
            icon: () => IconKey,
            label: (user) => `Check access of ${personLabel(user)}`,
            to: ({ id }) => ({ pathname: toSiteAccess(network.name, { id: siteId, domain }, id), search }),
          },
        ]}
        {...(isVisited && { bulk: [{ label: 'remove', icon: IconCircleMinus, onAct: setRemoving }] })}
      />
      {removing && (
        <OneByOneDialog
          title="Confirm removing user"
          text={`Are you sure you want to remove the site from the desktop of ${removing.length === 1 ? 'this user' : 'these users'}?`}
          names={removing.map(personLabel)}
          action="Remove"
          danger
          rows={removing}
          busyText={(user) => `Removing ${personLabel(user)}`}
          act={(user) => removeUserFromSite(network, siteId, user)}
          onReload={() => void reloadSiteUsers(siteId)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
