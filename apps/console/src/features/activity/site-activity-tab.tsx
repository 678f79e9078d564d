import { useLocation, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { PanelList } from '../../patterns/panel-list/panel-list.tsx';
import { activityQuery } from './activity.api.ts';
import {
  addressColumn,
  emailColumn,
  loginStatusFilter,
  statusColumn,
  timeColumn,
  timeFilter,
} from './line-columns.tsx';

const columns = [statusColumn, emailColumn, addressColumn, timeColumn];
const filters = [loginStatusFilter, timeFilter];

/** §2.7, Activity tab. */
export function SiteActivityTab() {
  const network = useAdminNetwork();
  const { pathname } = useLocation();
  const siteId = Number(useParams()['site_id']);
  return (
    <PanelList
      label="Activity of the site"
      query={(view) => activityQuery(network, { ...view, siteId })}
      columns={columns}
      nameOf={({ email }) => email}
      count={(loaded, total) => `${loaded} of ${total} logs`}
      emptyText="There is no item in database"
      emptyHint="Nobody has tried to sign in to this site yet."
      filters={filters}
      open={({ id }) => `${pathname}/${id}`}
      opensWithin
    />
  );
}
