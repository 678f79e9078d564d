import { useLocation, useNavigate, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { AssignList } from '../../patterns/assign-list/assign-list.tsx';
import { groupColumns } from './group-columns.tsx';
import { assignGroupToSite, groupsToAssignQuery, reloadSiteGroups } from './groups.members.api.ts';

/** §2.7, assign groups view. */
export function AssignSiteGroups() {
  const network = useAdminNetwork();
  const siteId = Number(useParams()['site_id']);
  const navigate = useNavigate();
  const { search } = useLocation();
  const handleLeave = () => {
    void reloadSiteGroups(siteId);
    void navigate({ pathname: '..', search }, { relative: 'path' });
  };
  return (
    <AssignList
      label="Groups to assign"
      query={(view) => groupsToAssignQuery(network, siteId, view.search)}
      columns={groupColumns}
      nameOf={({ name }) => name}
      count={(loaded, total) => `${loaded} of ${total} groups`}
      emptyHint="Every group of the network is already assigned."
      action="assign groups"
      act={(group) => assignGroupToSite(network, siteId, group)}
      onLeave={handleLeave}
    />
  );
}
