import { type Asking, freshSignInUrl } from '../api/fresh-sign-in.ts';
import { ConfirmDialog } from '../patterns/confirm/confirm-dialog.tsx';

type FreshSignInDialogProps = { asking: Asking };

/** Says why, and opens the sign-in beside this tab. */
export function FreshSignInDialog({ asking }: FreshSignInDialogProps) {
  return (
    <ConfirmDialog
      title="Please sign in again"
      text="We make sure that it is you, and not somebody who found your browser open: it needs a sign-in of the last ten minutes. The sign-in opens in another tab; what you typed here stays, and goes on by itself afterwards."
      action="Sign in again"
      onConfirm={() => window.open(freshSignInUrl, '_blank')}
      onCancel={() => asking.answer(false)}
    />
  );
}
