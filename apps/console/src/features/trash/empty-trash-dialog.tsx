import { useMutation } from '@tanstack/react-query';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { emptyWholeTrash } from './trash.api.ts';

type EmptyTrashDialogProps = { network: NetworkRef; onClose: () => void };

export function EmptyTrashDialog({ network, onClose }: EmptyTrashDialogProps) {
  const emptying = useMutation(emptyWholeTrash(network));
  return (
    <ConfirmDialog
      title="Confirm emptying the trash"
      text={`Are you sure you want to permanently delete everything in the trash of ${network.name}? This cannot be undone.`}
      action="Empty trash"
      danger
      busy={emptying.isPending}
      onConfirm={() => emptying.mutate(undefined, { onSuccess: onClose, onError: showError })}
      onCancel={onClose}
    />
  );
}
