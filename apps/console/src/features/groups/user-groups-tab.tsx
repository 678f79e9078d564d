import type { UserGroup } from '@opensocial/contract';
import { useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { wholeListQuery } from '../../api/transport/whole-list-query.ts';
import { MemberList } from '../../patterns/member-list/member-list.tsx';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { reloadUserGroups, takeGroupFromUser, userGroupsQuery } from './groups.api.ts';

const columns: readonly Column<UserGroup>[] = [
  {
    id: 'name',
    header: 'Group Name',
    cell: ({ group_name, description }) => (
      <span title={group_name}>
        {group_name}
        <span data-narrow-only>{description}</span>
      </span>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    wideOnly: true,
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
];

/** §2.8, Groups tab. */
export function UserGroupsTab() {
  const network = useAdminNetwork();
  const userId = Number(useParams()['user_id']);
  return (
    <MemberList
      label="Groups of the user"
      query={(view) => wholeListQuery(userGroupsQuery(network, userId), view.search, ({ group_name }) => group_name)}
      columns={columns}
      nameOf={({ group_name }) => group_name}
      count={(loaded, total) => `${loaded} of ${total} groups`}
      emptyHint="In no group, they enter the sites that are for everybody in the network."
      assign={{ label: 'assign groups', to: '../groups/assign' }}
      removal={{
        title: 'Confirm removing group',
        text: 'Are you sure you want to take the user out of the selected group ?',
        act: (group) => takeGroupFromUser(network, group),
        onReload: () => void reloadUserGroups(network, userId),
      }}
    />
  );
}
