import type { UserRow } from '@opensocial/contract';
import type { Column } from '../../patterns/record-list/model/list-description.ts';
import { StateBadge, StateDot } from '../../patterns/state-mark/state-mark.tsx';

/** §2.8, the columns in their order. */
export const userColumns: readonly Column<UserRow>[] = [
  {
    id: 'email',
    header: 'Email',
    cell: ({ email, fullname, status, user_mode }) => (
      <span title={email}>
        {email}
        <span data-narrow-only>{[fullname, status, user_mode].filter(Boolean).join(' · ')}</span>
      </span>
    ),
  },
  { id: 'name', header: 'Name', wideOnly: true, cell: ({ fullname }) => <span title={fullname}>{fullname}</span> },
  {
    id: 'status',
    header: 'Status',
    width: 150,
    wideOnly: true,
    cell: ({ status }) => <StateBadge tone={status === 'Confirmed' ? 'good' : 'quiet'}>{status}</StateBadge>,
  },
  {
    id: 'mode',
    header: 'Mode',
    width: 120,
    wideOnly: true,
    cell: ({ user_mode }) => <StateDot tone={user_mode === 'Active' ? 'good' : 'warn'}>{user_mode}</StateDot>,
  },
];
