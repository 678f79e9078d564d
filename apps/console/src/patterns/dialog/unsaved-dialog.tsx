import { ConfirmDialog } from '../confirm/confirm-dialog.tsx';

export type UnsavedTexts = { title?: string; text?: string; action?: string; cancelText?: string };

type UnsavedDialogProps = UnsavedTexts & { onLeave: () => void; onStay: () => void };

/** Asks for confirmation before unsaved input is lost. */
export function UnsavedDialog({
  title = 'Leave without saving?',
  text = 'Your changes have not been saved.',
  action = 'Leave without saving',
  cancelText = 'Keep editing',
  onLeave,
  onStay,
}: UnsavedDialogProps) {
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      cancelText={cancelText}
      danger
      onConfirm={onLeave}
      onCancel={onStay}
    />
  );
}
