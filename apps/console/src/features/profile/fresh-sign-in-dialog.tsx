import { ApiError } from '@opensocial/contract';
import { leaveForFreshSignIn } from '../../api/sign-in.ts';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { toProfile } from './profile.routes.tsx';

export const needsFreshSignIn = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'reauth_required';

type FreshSignInDialogProps = { onCancel: () => void };

/** Says why before the browser leaves for the sign-in page, from where it comes back here. */
export function FreshSignInDialog({ onCancel }: FreshSignInDialogProps) {
  return (
    <ConfirmDialog
      title="Please sign in again"
      text="This takes a protection of your account away, so we make sure that it is you: it needs a sign-in of the last ten minutes. You come back to your profile, and nothing has changed until then."
      action="Sign in again"
      onConfirm={() => void leaveForFreshSignIn(toProfile())}
      onCancel={onCancel}
    />
  );
}
