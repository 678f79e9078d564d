import { Button } from '@mantine/core';
import { type UserChange, UserMode, type UserRow, UserStatus } from '@opensocial/contract';
import {
  IconLock,
  IconLockOpen,
  IconPlus,
  IconTrash,
  IconUserCheck,
  IconUserOff,
  IconUserPlus,
  IconUserQuestion,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { Link, Outlet, useLocation, useParams } from 'react-router';
import { toUserDetails } from '../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useSessionUser } from '../../api/session/session.ts';
import { ListPage } from '../../patterns/record-list/list-page.tsx';
import { beginList } from '../../patterns/record-list/model/begin-list.ts';
import type { BulkAction, Filter, RowAction } from '../../patterns/record-list/model/list-description.ts';
import { RecordList } from '../../patterns/record-list/record-list.tsx';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { userColumns } from './user-columns.tsx';
import { usersQuery } from './users.api.ts';
import { toNewUser } from './users.links.ts';
import { UsersTools } from './users-tools.tsx';

const DeleteUsersDialog = lazy(async () => ({
  default: (await import('./delete-users-dialog.tsx')).DeleteUsersDialog,
}));
const ChangeUsersDialog = lazy(async () => ({
  default: (await import('./change-users-dialog.tsx')).ChangeUsersDialog,
}));

const optionsOf = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const filters: readonly Filter[] = [
  { kind: 'choice', id: 'status', label: 'status', options: optionsOf(UserStatus.options) },
  { kind: 'choice', id: 'mode', label: 'mode', options: optionsOf(UserMode.options) },
  { kind: 'range', id: 'time', label: 'time range' },
];

export const beginUsersList = beginList(usersQuery, filters);

/** The open dialog. */
type Task =
  | { kind: 'delete'; users: readonly UserRow[]; note?: string }
  | { kind: 'change'; users: readonly UserRow[]; note?: string; change: UserChange };

const skippedText = 'Your own account was skipped, because you cannot make this change to it yourself.';

/** §2.8. */
export function UsersList() {
  const network = useAdminNetwork();
  const { user_id } = useParams();
  const { search } = useLocation();
  const [task, setTask] = useState<Task>();
  const { id: ownId } = useSessionUser();
  const isSelf = ({ id }: UserRow) => id === ownId;
  const end = () => setTask(undefined);
  /** Bulk actions skip the signed-in user, who cannot delete or disable their own account. */
  const begin = (wanted: Task) => {
    const isRestricting = wanted.kind === 'delete' || wanted.change === 'Disable' || wanted.change === 'NonConfirmed';
    const users = isRestricting ? wanted.users.filter((user) => !isSelf(user)) : wanted.users;
    if (users.length === 0) showNotice('You cannot make this change to your own account.');
    else setTask({ ...wanted, users, ...(users.length < wanted.users.length && { note: skippedText }) });
  };
  return (
    <ListPage
      title="Users"
      tools={
        <>
          <UsersTools />
          <Button
            component={Link}
            to={{ pathname: toNewUser(network.name), search }}
            leftSection={<IconPlus size={17} />}
          >
            New user
          </Button>
        </>
      }
    >
      <RecordList
        label="Users"
        query={(view) => usersQuery(network, view)}
        columns={userColumns}
        columnsStoredAs="users"
        nameOf={({ email }) => email}
        count={(loaded, total) => `${loaded} of ${total} users`}
        emptyHint="Invite a user by email address, or import users from a file."
        filters={filters}
        actions={rowActions(network.name, isSelf, setTask)}
        bulk={bulkActions(begin)}
        open={({ id }) => toUserDetails(network.name, id)}
        current={user_id === undefined ? undefined : Number(user_id)}
        isStopped={({ user_mode }) => user_mode === 'Disable'}
      />
      <Suspense>
        {task?.kind === 'delete' && <DeleteUsersDialog users={task.users} note={task.note} onClose={end} />}
        {task?.kind === 'change' && (
          <ChangeUsersDialog users={task.users} note={task.note} change={task.change} onClose={end} />
        )}
      </Suspense>
      <Outlet />
    </ListPage>
  );
}

/**
 * §4: only people whose home network is this one have the lock, at the main network too, where bulk actions change the
 * others. Users cannot disable or delete themselves.
 */
const rowActions = (
  network: string,
  isSelf: (user: UserRow) => boolean,
  begin: (task: Task) => void,
): readonly RowAction<UserRow>[] => [
  {
    id: 'lock',
    icon: ({ user_mode }) => (user_mode === 'Active' ? IconLock : IconLockOpen),
    label: ({ email, user_mode }) => `${user_mode === 'Active' ? 'Disable' : 'Activate'} ${email}`,
    isOffered: (user) => user.signup_server === network && !isSelf(user),
    onAct: (user) =>
      begin({ kind: 'change', users: [user], change: user.user_mode === 'Active' ? 'Disable' : 'Active' }),
  },
  {
    id: 'delete',
    icon: () => IconTrash,
    label: ({ email }) => `Delete ${email}`,
    isOffered: (user) => !isSelf(user),
    onAct: (user) => begin({ kind: 'delete', users: [user] }),
  },
];

const bulkActions = (begin: (task: Task) => void): readonly BulkAction<UserRow>[] => {
  const change = (label: string, icon: BulkAction<UserRow>['icon'], to: UserChange): BulkAction<UserRow> => ({
    label,
    icon,
    more: true,
    onAct: (users) => begin({ kind: 'change', users, change: to }),
  });
  return [
    { label: 'delete', icon: IconTrash, onAct: (users) => begin({ kind: 'delete', users }) },
    change('mark as active', IconUserCheck, 'Active'),
    change('mark as disable', IconUserOff, 'Disable'),
    change('mark as confirmed', IconUserPlus, 'Confirmed'),
    change('mark as not confirmed', IconUserQuestion, 'NonConfirmed'),
  ];
};
