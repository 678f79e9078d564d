import { useMutation } from '@tanstack/react-query';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { confirmBackup } from './getting-started.api.ts';

type BackupActionProps = { network: string };

/** The program cannot know whether other programs make backups, so an owner says it. */
export function BackupAction({ network }: BackupActionProps) {
  const confirming = useMutation(confirmBackup(network));
  return (
    <BusyButton
      variant="default"
      busy={confirming.isPending}
      onClick={() => confirming.mutate(undefined, { onError: showErrorField })}
    >
      Backups are made
    </BusyButton>
  );
}
