import { personLabel, type UserChange, type UserRow } from '@opensocial/contract';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { OneByOneDialog } from '../../patterns/confirm/one-by-one-dialog.tsx';
import { countOf } from '../../patterns/format/format.ts';
import { showNotice } from '../../patterns/toast/show-notice.tsx';
import { changeOneUser, lockUser, reloadUsers } from './users.api.ts';

type ChangeUsersDialogProps = {
  users: readonly UserRow[];
  note: string | undefined;
  change: UserChange;
  onClose: () => void;
};

const signOutNote =
  'They are signed out immediately. Applications that they have opened may keep their own sessions until these expire.';

const texts: Record<UserChange, { title: string; text: (users: string) => string; action: string }> = {
  Active: {
    title: 'Confirm changing user mode',
    text: (users) => `Are you sure you want to mark ${users} as active?`,
    action: 'Mark as active',
  },
  Disable: {
    title: 'Confirm changing user mode',
    text: (users) => `Are you sure you want to disable ${users}? ${signOutNote}`,
    action: 'Disable',
  },
  Confirmed: {
    title: 'Confirm changing user status',
    text: (users) => `Are you sure you want to mark ${users} as confirmed?`,
    action: 'Mark as confirmed',
  },
  NonConfirmed: {
    title: 'Confirm changing user status',
    text: (users) => `Are you sure you want to mark ${users} as not confirmed? ${signOutNote}`,
    action: 'Mark as not confirmed',
  },
};

/**
 * §4: changes one user by the lock, or several by 'more actions'. Users of another home network are not changed, but
 * counted. Only an owner of the main network can change every account.
 */
export function ChangeUsersDialog({ users, note, change, onClose }: ChangeUsersDialogProps) {
  const network = useAdminNetwork();
  const isMain = network.name === mainNetwork;
  const own = users.filter(({ signup_server }) => isMain || signup_server === network.name);
  const left = users.length - own.length;
  const notes = [note, left > 0 ? skippedText(left, 'will not be') : undefined].filter(Boolean);
  const isMode = change === 'Active' || change === 'Disable';
  const act = (user: UserRow) =>
    users.length === 1 && isMode ? lockUser(network, user, change) : changeOneUser(network, user, change);
  const handleClose = () => {
    if (left > 0) showNotice(skippedText(left, left === 1 ? 'was not' : 'were not'));
    onClose();
  };
  return (
    <OneByOneDialog
      {...texts[change]}
      text={texts[change].text(own.length === 1 ? 'this user' : 'these users')}
      danger={change === 'Disable' || change === 'NonConfirmed'}
      names={own.map(personLabel)}
      {...(notes.length > 0 && { note: notes.join(' ') })}
      rows={own}
      busyText={(user) => `Changing ${personLabel(user)}`}
      act={act}
      onReload={() => void reloadUsers(network)}
      onClose={handleClose}
    />
  );
}

const skippedText = (count: number, verb: string): string =>
  `${countOf(count, 'user', 'users')} ${verb} changed, because their home network is another one.`;
