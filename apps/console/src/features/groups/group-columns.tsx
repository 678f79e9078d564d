import type { Group, UserGroup } from '@opensocial/contract';
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
