import { type Group, type GroupRow, maximumGroupCount, type UserGroup } from '@opensocial/contract';
import { formatNumber } from '../../patterns/format/format.ts';
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

const countText = (count: number): string =>
  count > maximumGroupCount ? `more than ${formatNumber(maximumGroupCount)}` : formatNumber(count);

const numbersOf = ({ user_count: users, site_count: sites }: GroupRow): string =>
  `${countText(users)} ${users === 1 ? 'user' : 'users'} · ${countText(sites)} ${sites === 1 ? 'site' : 'sites'}`;

/** §2.9, groups list, with the numbers of members. */
export const countedGroupColumns: readonly Column<GroupRow>[] = [
  {
    id: 'name',
    header: 'Group Name',
    cell: (group) => (
      <span title={group.name}>
        {group.name}
        <span data-narrow-only>
          {numbersOf(group)} · {group.description}
        </span>
      </span>
    ),
  },
  {
    id: 'description',
    header: 'Description',
    wideOnly: true,
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
  { id: 'users', header: 'Users', width: 150, wideOnly: true, cell: ({ user_count }) => countText(user_count) },
  { id: 'sites', header: 'Sites', width: 150, wideOnly: true, cell: ({ site_count }) => countText(site_count) },
];
