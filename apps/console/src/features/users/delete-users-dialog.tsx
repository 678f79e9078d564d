import { personLabel, type UserRow } from '@opensocial/contract';
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
      text={deletionText(users.length, network.name)}
      rows={users}
      nameOf={personLabel}
      noun="users"
      note={note}
      remove={(user) => deleteUser(network, user)}
      onReload={() => void reloadUsers(network)}
      onClose={onClose}
    />
  );
}

const deletionText = (count: number, network: string): string =>
  count === 1
    ? `Are you sure you want to delete this user? They leave ${network}. If it is their only network, their account is deleted.`
    : `Are you sure you want to delete these users? They leave ${network}. Accounts that belong to no other network are deleted.`;
