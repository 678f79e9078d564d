import type { Group, GroupSite, GroupUser, UserGroup } from '@opensocial/contract';
import type { Column } from '../../patterns/record-list/model/list-description.ts';

/** §2.9. Lists name the group in different fields. */
const columnsOf = <Row extends { description: string }>(nameOf: (row: Row) => string): readonly Column<Row>[] => [
  {
    id: 'name',
    header: 'Group Name',
    cell: (row) => (
      <span title={nameOf(row)}>
        {nameOf(row)}
        <span data-narrow-only>{row.description}</span>
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

export const groupColumns = columnsOf<Group>(({ name }) => name);

export const userGroupColumns = columnsOf<UserGroup>(({ group_name }) => group_name);

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
