import { useMutation } from '@tanstack/react-query';
import { makeDefault, useSessionUser } from '../../api/session/session.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';

type DefaultNetworkDialogProps = { network: NetworkRef; onClose: () => void };

/** §2.2, the confirm modal for the default server. */
export function DefaultNetworkDialog({ network, onClose }: DefaultNetworkDialogProps) {
  const setting = useMutation(makeDefault(useSessionUser()));
  return (
    <ConfirmDialog
      title="Confirm setting default server"
      text="Do you want to set this as default server?"
      action="Set as default"
      busy={setting.isPending}
      onConfirm={() => setting.mutate(network, { onSuccess: onClose, onError: showError })}
      onCancel={onClose}
    >
      <p>
        <strong>{network.name}</strong>
      </p>
    </ConfirmDialog>
  );
}
