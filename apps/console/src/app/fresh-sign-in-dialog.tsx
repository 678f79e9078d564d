import { Button } from '@mantine/core';
import { type FreshSignInRequest, freshSignInUrl } from '../api/sign-in/fresh-sign-in.ts';
import { ConfirmDialog } from '../patterns/confirm/confirm-dialog.tsx';
import { Dialog } from '../patterns/dialog/dialog.tsx';

type FreshSignInDialogProps = { request: FreshSignInRequest };

/** Shows the server's reason and opens the sign-in in another tab. */
export function FreshSignInDialog({ request }: FreshSignInDialogProps) {
  return (
    <ConfirmDialog
      title="Please sign in again"
      text={`${request.reason} The sign-in opens in another tab. This tab keeps what you typed, and makes your change when you have signed in.`}
      action="Sign in again"
      onConfirm={() => window.open(freshSignInUrl, '_blank')}
      onCancel={() => request.answer(false)}
    />
  );
}

type OtherPersonDialogProps = { username: string };

const reload = () => window.location.reload();

/** The screen still shows the data of the first person, so this dialog cannot be dismissed without reloading the page. */
export function OtherPersonDialog({ username }: OtherPersonDialogProps) {
  return (
    <Dialog title="Another person has signed in" size={440} withCloseButton={false} onClose={reload}>
      <p role="status">{`This browser is now signed in as ${username}. Nothing was changed. Reload the console to continue as ${username}.`}</p>
      <Button data-autofocus onClick={reload}>
        Reload the console
      </Button>
    </Dialog>
  );
}
