import type { User } from '@opensocial/contract';
import { useLocation, useOutletContext } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import { userActivityQuery } from './activity.api.ts';
import { addressColumn, loginStatusFilter, siteColumn, statusColumn, timeColumn, timeFilter } from './line-columns.tsx';

const columns = [statusColumn, siteColumn, addressColumn, timeColumn];
const filters = [loginStatusFilter, timeFilter];

/** §2.8, Activity tab. The panel provides the user. */
export function UserActivityTab() {
  const network = useAdminNetwork();
  const { pathname } = useLocation();
  const user = useOutletContext<User | undefined>();
  if (!user) return null;
  return (
    <PanelList
      label="Activity of the user"
      query={(view) => userActivityQuery(network, user.email, view)}
      columns={columns}
      nameOf={({ site }) => site}
      count={(loaded, total) => `${loaded} of ${total} logs`}
      emptyText="There is no item in database"
      emptyHint="This user has not tried to sign in to a site of this network yet."
      filters={filters}
      open={({ id }) => `${pathname}/${id}`}
      opensWithin
    />
  );
}
