import type { UserRow } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { deleteUser, reloadUsers } from './users.api.ts';

type DeleteUsersDialogProps = { users: readonly UserRow[]; note: string | undefined; onClose: () => void };

export function DeleteUsersDialog({ users, note, onClose }: DeleteUsersDialogProps) {
  const network = useAdminNetwork();
  return (
    <OneByOneDialog
      title="Confirm deleting user"
      text={`Are you sure you want to delete the selected user ? They leave ${network.name}; an account that is left with no network is deleted.`}
      names={users.map(({ email }) => email)}
      action="Delete"
      danger
      {...(note !== undefined && { note })}
      rows={users}
      busyText={({ email }) => `Deleting ${email}`}
      act={(user) => deleteUser(network, user)}
      onReload={() => void reloadUsers(network)}
      onClose={onClose}
    />
  );
}
