import type { GroupSite, GroupUser } from '@opensocial/contract';
import type { Column } from '../../patterns/record-list/model/list-description.ts';

export const groupUserColumns: readonly Column<GroupUser>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ user_full_name, user_email }) => (
      <span title={user_full_name}>
        {user_full_name}
        <span data-narrow-only>{user_email}</span>
      </span>
    ),
  },
  {
    id: 'email',
    header: 'Email',
    wideOnly: true,
    cell: ({ user_email }) => <span title={user_email}>{user_email}</span>,
  },
];

export const groupSiteColumns: readonly Column<GroupSite>[] = [
  {
    id: 'name',
    header: 'site name',
    cell: ({ subscriber_url }) => <span title={subscriber_url}>{subscriber_url}</span>,
  },
];
