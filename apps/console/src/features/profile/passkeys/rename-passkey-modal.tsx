import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Passkey, PasskeyChanges } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../../patterns/form/dialog-buttons.tsx';
import classes from '../../../patterns/form/form.module.css';
import { schemaFaults } from '../../../patterns/form/schema-faults.ts';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { savePasskeyName } from './passkeys.api.ts';

type RenamePasskeyModalProps = { passkey: Passkey; onClose: () => void };

export function RenamePasskeyModal({ passkey: { id, name }, onClose }: RenamePasskeyModalProps) {
  const saving = useMutation(savePasskeyName);
  const form = useForm({ initialValues: { name }, validate: schemaFaults(PasskeyChanges) });
  const handleSubmit = (values: typeof form.values) => {
    if (saving.isPending) return;
    saving.mutate({ id, ...values }, { onError: showError, onSuccess: onClose });
  };
  return (
    <Dialog onClose={onClose} title="Rename the passkey" size={440} dirty={form.isDirty()}>
      <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <TextInput
          {...form.getInputProps('name')}
          label="Name"
          maxLength={60}
          autoComplete="off"
          readOnly={saving.isPending}
          data-autofocus
        />
        <DialogButtons action="Rename" busy={saving.isPending} />
      </form>
    </Dialog>
  );
}
