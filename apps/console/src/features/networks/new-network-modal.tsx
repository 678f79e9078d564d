import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, NetworkDraft } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useLacksMail } from '../../api/session/mail-delivery.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../patterns/form/dialog-buttons.tsx';
import classes from '../../patterns/form/form.module.css';
import { InvitationLinkDialog } from '../../patterns/invitation-link/invitation-link-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { addNetwork } from './networks.api.ts';

type NewNetworkModalProps = { onClose: () => void };

const nameFault = (name: string): string | undefined =>
  name === '' ? 'This filed is required' : NetworkDraft.shape.name.safeParse(name).error?.issues[0]?.message;

const ownerFault = (owner: string): string | undefined => {
  if (owner.trim() === '') return 'This field is required';
  return NetworkDraft.shape.owner.safeParse(owner).success ? undefined : 'This field must be a valid email';
};

/** §2.4: for owners of the main network. */
export function NewNetworkModal({ onClose }: NewNetworkModalProps) {
  const adding = useMutation(addNetwork);
  const lacksMail = useLacksMail(mainNetwork);
  const form = useForm({
    initialValues: { name: '', owner: '' },
    validate: { name: nameFault, owner: ownerFault },
  });
  // An error replaces the hint, so that the buttons below do not move.
  const hintFor = (field: keyof NetworkDraft, hint: string) => (form.errors[field] ? undefined : hint);
  const handleError = (error: Error) => {
    if (error instanceof ApiError && error.status < 500) form.setFieldError('name', errorText(error));
    else showError(error);
  };
  const handleSubmit = (draft: NetworkDraft) => {
    if (adding.isPending) return;
    adding.mutate(draft, {
      onError: handleError,
      onSuccess: ({ url, invitation }) => {
        showSuccess(lacksMail ? `Network ${url} created` : `Network ${url} created, invitation sent`);
        if (!invitation) onClose();
      },
    });
  };
  const link = adding.data?.invitation?.link;
  if (link !== undefined) return <InvitationLinkDialog email={form.values.owner} link={link} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title="New network" size={460} dirty={form.isDirty()}>
      <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <TextInput
          {...form.getInputProps('name')}
          label="Name"
          description={hintFor(
            'name',
            '2 to 63 lower-case letters, digits and hyphens. The name cannot be changed later.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={adding.isPending}
          data-autofocus
        />
        <TextInput
          {...form.getInputProps('owner')}
          type="email"
          label="Owner email"
          description={hintFor(
            'owner',
            lacksMail
              ? 'The first owner of the network. No mail server is set up, so you get a link to hand over.'
              : 'The first owner of the network. They get an invitation by email.',
          )}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          readOnly={adding.isPending}
        />
        <DialogButtons action="Create network" busy={adding.isPending} />
      </form>
    </Dialog>
  );
}
