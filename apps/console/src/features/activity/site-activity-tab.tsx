import { Link, useLocation, useParams } from 'react-router';
import { toSiteSso } from '../../api/links/panel-links.ts';
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

import { RefusedRequestsNote } from './refused-requests-note.tsx';

/** §2.7, Activity tab. */
export function SiteActivityTab() {
  const network = useAdminNetwork();
  const { pathname } = useLocation();
  const { site_id, site_name: domain = '' } = useParams();
  const siteId = Number(site_id);
  return (
    <>
      <RefusedRequestsNote>
        under <Link to={`${toSiteSso(network.name, { id: siteId, domain })}#diagnosis`}>Single sign-on, Diagnosis</Link>
      </RefusedRequestsNote>
      <PanelList
        label="Activity of the site"
        query={(view) => activityQuery(network, { ...view, siteId })}
        columns={columns}
        nameOf={({ email }) => email}
        count={(loaded, total) => `${loaded} of ${total} logs`}
        emptyText="There is no item in database"
        emptyHint="No person has tried to sign in to this site yet."
        filters={filters}
        open={({ id }) => `${pathname}/${id}`}
        opensWithin
      />
    </>
  );
}
