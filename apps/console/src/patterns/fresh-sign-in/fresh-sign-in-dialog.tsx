import { ApiError } from '@opensocial/contract';
import { leaveForFreshSignIn } from '../../api/sign-in.ts';
import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';

export const needsFreshSignIn = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'reauth_required';

type FreshSignInDialogProps = { onCancel: () => void };

/** Says why before the browser leaves for the sign-in page, from where it comes back to this screen. */
export function FreshSignInDialog({ onCancel }: FreshSignInDialogProps) {
  return (
    <ConfirmDialog
      title="Please sign in again"
      text="We make sure that it is you, and not somebody who found your browser open: it needs a sign-in of the last ten minutes. You come back here, and nothing has changed until then."
      action="Sign in again"
      onConfirm={() => void leaveForFreshSignIn()}
      onCancel={onCancel}
    />
  );
}
