import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { AssignList } from '../../patterns/assign-list/assign-list.tsx';
import { useReturnToMembers } from '../../patterns/assign-list/use-return-to-members.ts';
import { groupColumns } from './group-columns.tsx';
import { assignGroupToUser, groupsForUserQuery, reloadUserGroups } from './groups.members.api.ts';

/** §2.8, assign-groups view. */
export function AssignUserGroups() {
  const network = useAdminNetwork();
  const userId = Number(useParams()['user_id']);
  const returnToMembers = useReturnToMembers();
  const handleLeave = () => {
    void reloadUserGroups(network, userId);
    returnToMembers();
  };
  return (
    <AssignList
      label="Groups to assign"
      query={(view) => groupsForUserQuery(network, userId, view.search)}
      columns={groupColumns}
      nameOf={({ name }) => name}
      count={(loaded, total) => `${loaded} of ${total} groups`}
      emptyHint="This user is already in every group of the network."
      action="assign groups"
      act={(group) => assignGroupToUser(network, userId, group)}
      onLeave={handleLeave}
    />
  );
}
