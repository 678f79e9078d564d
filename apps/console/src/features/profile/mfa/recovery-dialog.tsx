import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { UnsavedGuard } from '../../../patterns/side-panel/unsaved-guard.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

type RecoveryDialogProps = { title: string; codes: readonly string[]; onSaved: () => void };

/**
 * Recovery codes are shown once, so neither Escape nor a click outside closes the dialog, and leaving the page asks for
 * confirmation.
 */
export function RecoveryDialog({ title, codes, onSaved }: RecoveryDialogProps) {
  return (
    <Dialog
      onClose={onSaved}
      title={title}
      size={480}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
    >
      <RecoveryCodes codes={codes} onSaved={onSaved} />
      <UnsavedGuard
        active
        title="Leave without your recovery codes?"
        text="They are shown only once. Without them, you may lose access to your account if you lose your authenticator app."
        action="Leave without them"
        cancelText="Back to the codes"
      />
    </Dialog>
  );
}
