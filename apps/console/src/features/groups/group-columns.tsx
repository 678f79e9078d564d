import type { Group } from '@opensocial/contract';
import type { Column } from '../../patterns/record-list/list-description.ts';

/** SPEC 2.9. */
export const groupColumns: readonly Column<Group>[] = [
  { id: 'name', header: 'Group Name', cell: ({ name }) => <span title={name}>{name}</span> },
  {
    id: 'description',
    header: 'Description',
    wideOnly: true,
    cell: ({ description }) => <span title={description}>{description}</span>,
  },
];
