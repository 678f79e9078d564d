import { ConfirmDialog } from './confirm-dialog.tsx';
import { EffectList } from './effect-list.tsx';

type EffectsDialogProps = {
  effects: readonly string[];
  /** The text of the button. */
  action: string;
  busy?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Names who is affected by a change, and asks for a confirmation. */
export function EffectsDialog({ effects, action, busy = false, onConfirm, onCancel }: EffectsDialogProps) {
  return (
    <ConfirmDialog
      title="Who is affected"
      text="This changes who may enter:"
      action={action}
      danger
      busy={busy}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <EffectList effects={effects} />
    </ConfirmDialog>
  );
}
