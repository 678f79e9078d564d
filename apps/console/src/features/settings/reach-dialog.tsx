import type { PolicyReach } from '@opensocial/contract';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import classes from './reach-dialog.module.css';

type ReachDialogProps = { reach: PolicyReach; busy: boolean; onConfirm: () => void; onCancel: () => void };

const people = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Whom a policy touches, one sentence each. */
export const sentencesOf = ({ old_passwords, without_mfa, inactive }: PolicyReach): string[] => [
  ...(old_passwords > 0
    ? [
        `${people(old_passwords, 'password is', 'passwords are')} older than this. A new one is asked for at the next sign-in.`,
      ]
    : []),
  ...(without_mfa > 0
    ? [`${people(without_mfa, 'user has', 'users have')} no MFA yet, and will be asked for it.`]
    : []),
  ...(inactive > 0
    ? [
        `${people(inactive, 'account has', 'accounts have')} not been used for that long, and will be disabled within minutes.`,
      ]
    : []),
];

export function ReachDialog({ reach, busy, onConfirm, onCancel }: ReachDialogProps) {
  return (
    <ConfirmDialog
      title="Whom this touches"
      text={`Of the ${people(reach.users, 'active user', 'active users')} of this network:`}
      action="Save settings"
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <ul className={classes.list}>
        {sentencesOf(reach).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
