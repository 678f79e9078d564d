import { type AssignableSite, siteLabel } from '@opensocial/contract';
import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { AssignList } from '../../patterns/assign-list/assign-list.tsx';
import { useReturnToMembers } from '../../patterns/assign-list/use-return-to-members.ts';
import { describeEntryEffects } from '../../patterns/entry-effects/entry-effects.ts';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { SiteName } from '../../patterns/site-name/site-name.tsx';
import { groupUserColumns, groupUserLabel } from './group-member-columns.tsx';
import {
  assignSiteToGroup,
  assignUserToGroup,
  reloadGroupMembers,
  sitesToAssignQuery,
  usersToAssignQuery,
} from './groups.members.api.ts';

/** Navigates back to the tab of the assigned members. */
const useReturn = (groupId: number) => {
  const returnToMembers = useReturnToMembers();
  return () => {
    void reloadGroupMembers(groupId);
    returnToMembers();
  };
};

/** §2.9, assign users. */
export function AssignGroupUsers() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  return (
    <AssignList
      label="Users to assign"
      query={(view) => usersToAssignQuery(network, groupId, view.search)}
      columns={groupUserColumns}
      nameOf={groupUserLabel}
      count={(loaded, total) => `${loaded} of ${total} users`}
      emptyHint="Every user of the network is already in the group."
      action="assign users"
      act={(user) => assignUserToGroup(network, groupId, user)}
      onLeave={useReturn(groupId)}
    />
  );
}

const siteColumns: readonly Column<AssignableSite>[] = [
  { id: 'name', header: 'site name', cell: (site) => <SiteName site={site} /> },
];

/** §2.9, assign sites. */
export function AssignGroupSites() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  return (
    <AssignList
      label="Sites to assign"
      query={(view) => sitesToAssignQuery(network, groupId, view.search)}
      columns={siteColumns}
      nameOf={siteLabel}
      count={(loaded, total) => `${loaded} of ${total} sites`}
      emptyHint="Every site of the network is already assigned."
      action="assign sites"
      effects={(sites) =>
        describeEntryEffects(network, { assigned: sites.map(({ id }) => ({ group_id: groupId, site_id: id })) })
      }
      act={(site) => assignSiteToGroup(network, groupId, site)}
      onLeave={useReturn(groupId)}
    />
  );
}
