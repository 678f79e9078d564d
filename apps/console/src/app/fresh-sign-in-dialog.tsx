import { type Asking, freshSignInUrl } from '../api/fresh-sign-in.ts';
import { ConfirmDialog } from '../patterns/confirm/confirm-dialog.tsx';

type FreshSignInDialogProps = { asking: Asking };

/** Shows the server's sentence, and opens the sign-in in another tab. */
export function FreshSignInDialog({ asking }: FreshSignInDialogProps) {
  return (
    <ConfirmDialog
      title="Please sign in again"
      text={`${asking.reason} The sign-in opens in another tab. What you typed here stays, and your change is made by itself afterwards.`}
      action="Sign in again"
      onConfirm={() => window.open(freshSignInUrl, '_blank')}
      onCancel={() => asking.answer(false)}
    />
  );
}
