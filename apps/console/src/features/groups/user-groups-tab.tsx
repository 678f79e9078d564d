import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { wholeListQuery } from '../../api/transport/whole-list-query.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import { userGroupColumns } from './group-columns.tsx';
import { reloadUserGroups, removeGroupFromUser, userGroupsQuery } from './groups.members.api.ts';

/** §2.8, Groups tab. */
export function UserGroupsTab() {
  const network = useAdminNetwork();
  const userId = Number(useParams()['user_id']);
  return (
    <MemberList
      label="Groups of the user"
      query={(view) => wholeListQuery(userGroupsQuery(network, userId), view.search, ({ group_name }) => group_name)}
      columns={userGroupColumns}
      nameOf={({ group_name }) => group_name}
      count={(loaded, total) => `${loaded} of ${total} groups`}
      emptyHint="Without a group, this user can use only the sites that are open to the whole network."
      assign={{ label: 'assign groups', to: '../groups/assign' }}
      removal={{
        noun: 'group',
        from: 'the user',
        act: (group) => removeGroupFromUser(network, group),
        onReload: () => void reloadUserGroups(network, userId),
      }}
    />
  );
}
