import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import type { SiteValues } from './use-site-form.ts';

type NoLoginDialogProps = { values: SiteValues; busy: boolean; onConfirm: () => void; onCancel: () => void };

const list = new Intl.ListFormat('en');

/** Warns before a save after which nobody could sign in to the site. */
export function NoLoginDialog({ values: { auth_options, custom_auth_options }, ...dialog }: NoLoginDialogProps) {
  const chosen = [...auth_options, ...custom_auth_options.split(',').map((name) => name.trim())].filter(Boolean);
  return (
    <ConfirmDialog
      {...dialog}
      title="Nobody could sign in to this site"
      text={
        chosen.length > 0
          ? `Email login is off, and what is chosen instead does not work yet: ${list.format(chosen)}. Keys and secrets are entered in Server Settings; azure and custom services are set up by whoever runs this installation.`
          : 'Email login is off, and no other login type is chosen.'
      }
      action="Save anyway"
      cancelText="Keep editing"
      danger
    />
  );
}
