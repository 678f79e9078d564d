import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import { groupUserColumns, groupUserLabel } from './group-member-columns.tsx';
import { groupUsersQuery, reloadGroupMembers, removeUserFromGroup } from './groups.members.api.ts';

/** §2.9, Users tab of a group. */
export function GroupUsersTab() {
  const network = useAdminNetwork();
  const groupId = Number(useParams()['group_id']);
  return (
    <MemberList
      label="Users of the group"
      query={(view) => groupUsersQuery(network, groupId, view.search)}
      columns={groupUserColumns}
      nameOf={groupUserLabel}
      count={(loaded, total) => `${loaded} of ${total} users`}
      emptyHint="This group has no users yet."
      assign={{ label: 'assign users', to: '../users/assign' }}
      removal={{
        noun: 'user',
        from: 'the group',
        act: (user) => removeUserFromGroup(network, groupId, user),
        onReload: () => void reloadGroupMembers(groupId),
      }}
    />
  );
}
