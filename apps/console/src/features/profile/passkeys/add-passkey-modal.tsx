import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { PasskeyChanges, type PasskeyOptions } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { browserName } from '../../../patterns/browser-name/browser-name.ts';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { useOpenerFocus } from '../../../patterns/focus/use-opener-focus.ts';
import { DialogButtons } from '../../../patterns/form/dialog-buttons.tsx';
import classes from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { schemaFaults } from '../../../patterns/form/schema-faults.ts';
import { showError } from '../../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { RecoveryDialog } from '../mfa/recovery-dialog.tsx';
import { addPasskey } from './passkeys.api.ts';
import { CeremonyError, cancelPasskeyCreation, registerPasskey } from './register-passkey.ts';

type AddPasskeyModalProps = { options: PasskeyOptions; onClose: () => void };

/** Asks for a name and creates a passkey. New recovery codes are shown once. */
export function AddPasskeyModal({ options, onClose }: AddPasskeyModalProps) {
  // The second dialog opens after the first has closed, so the opener is remembered here.
  useOpenerFocus();
  useEffect(() => cancelPasskeyCreation, []);
  const [codes, setCodes] = useState<readonly string[]>([]);
  if (codes.length > 0) return <RecoveryDialog title="Save your recovery codes" codes={codes} onSaved={onClose} />;
  return (
    <Dialog onClose={onClose} title="Add a passkey" size={480} closeOnClickOutside={false}>
      <NameForm options={options} onClose={onClose} onCodes={setCodes} />
    </Dialog>
  );
}

type NameFormProps = AddPasskeyModalProps & { onCodes: (codes: readonly string[]) => void };

function NameForm({ options, onClose, onCodes }: NameFormProps) {
  const form = useForm({
    initialValues: { name: browserName(navigator.userAgent) },
    validate: schemaFaults(PasskeyChanges),
  });
  const adding = useMutation({
    mutationKey: ['passkeys', 'add'],
    mutationFn: async ({ name }: typeof form.values) => addPasskey(name, await registerPasskey(options)),
    onSuccess: ({ message, recovery_codes }) => {
      showSuccess(message);
      if (recovery_codes.length > 0) onCodes(recovery_codes);
      else onClose();
    },
    onError: (error) => {
      // If the browser failed, the same options can be tried again. If the server refused, new options are requested.
      if (error instanceof CeremonyError) return;
      showError(error);
      onClose();
    },
  });
  const handleSubmit = (values: typeof form.values) => {
    if (!adding.isPending) adding.mutate(values);
  };
  return (
    <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <p>
        Give the passkey a name that you will recognise. Your browser then asks where to store it: on this device, on
        your phone or on a security key.
      </p>
      <TextInput
        {...form.getInputProps('name')}
        label="Name"
        maxLength={60}
        autoComplete="off"
        readOnly={adding.isPending}
        data-autofocus
      />
      <FormError>{adding.error instanceof CeremonyError && adding.error.message}</FormError>
      <DialogButtons action="Continue" busy={adding.isPending} />
    </form>
  );
}
