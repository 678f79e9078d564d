import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { listOf } from '../../patterns/format/format.ts';
import type { SiteValues } from './use-site-form.ts';

type NoLoginDialogProps = { values: SiteValues; busy: boolean; onConfirm: () => void; onCancel: () => void };

/** Warns before a save after which nobody could sign in to the site. */
export function NoLoginDialog({ values: { auth_options, custom_auth_options }, ...dialog }: NoLoginDialogProps) {
  const chosen = [...auth_options, ...custom_auth_options.split(',').map((name) => name.trim())].filter(Boolean);
  return (
    <ConfirmDialog
      {...dialog}
      title="Nobody could sign in to this site"
      text={
        chosen.length > 0
          ? `Email login is off, and the chosen login types do not work yet: ${listOf(chosen)}. Enter their keys and secrets in Server Settings. The operator of this installation sets up azure and custom services.`
          : 'Email login is off, and no other login type is chosen.'
      }
      action="Save anyway"
      cancelText="Keep editing"
      danger
    />
  );
}
