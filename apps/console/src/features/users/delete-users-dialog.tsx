import type { UserRow } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { DeleteDialog } from '../../patterns/confirm/delete-dialog.tsx';
import { deleteUser, reloadUsers } from './users.api.ts';

type DeleteUsersDialogProps = { users: readonly UserRow[]; note: string | undefined; onClose: () => void };

export function DeleteUsersDialog({ users, note, onClose }: DeleteUsersDialogProps) {
  const network = useAdminNetwork();
  return (
    <DeleteDialog
      network={network}
      title="Confirm deleting user"
      text={`Are you sure you want to delete the selected user ? They leave ${network.name}; an account that is left with no network is deleted.`}
      rows={users}
      nameOf={({ email }) => email}
      noun="users"
      note={note}
      remove={(user) => deleteUser(network, user)}
      onReload={() => void reloadUsers(network)}
      onClose={onClose}
    />
  );
}
