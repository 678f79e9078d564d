import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, Email } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useLacksMail } from '../../api/session/mail-delivery.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../patterns/form/dialog-buttons.tsx';
import classes from '../../patterns/form/form.module.css';
import { InvitationLinkDialog } from '../../patterns/invitation-link/invitation-link-dialog.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { addOwner } from './owners.api.ts';

type AddOwnerModalProps = { onClose: () => void };

/** §5, owner: the first message for an empty field, the second for an invalid address. */
const emailFault = (email: string): string | undefined => {
  if (email.trim() === '') return 'Admin email is required';
  return Email.safeParse(email).success ? undefined : 'Required valid email address';
};

/** §2.9. */
export function AddOwnerModal({ onClose }: AddOwnerModalProps) {
  const network = useAdminNetwork();
  const adding = useMutation(addOwner(network));
  const lacksMail = useLacksMail(network.name);
  const form = useForm({
    initialValues: { email: '' },
    validate: { email: emailFault },
    clearInputErrorOnChange: true,
  });
  const handleSubmit = ({ email }: typeof form.values) => {
    if (adding.isPending) return;
    adding.mutate(email, {
      onSuccess: ({ msg, invitation }) => {
        showSuccess(msg);
        if (!invitation) onClose();
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'owner_exists') form.setFieldError('email', errorText(error));
        // §8: this error is shown as a success toast.
        else showSuccess(errorText(error));
      },
    });
  };
  const { email } = form.values;
  const link = adding.data?.invitation?.link;
  if (link !== undefined) return <InvitationLinkDialog email={email} link={link} onClose={onClose} />;
  return (
    <Dialog onClose={onClose} title="Add New Owner" size={460} dirty={form.isDirty()}>
      <form className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label="Email address"
          description={
            lacksMail
              ? 'No mail server is set up, so a person without an account gets no email. You get a link to hand over. The person becomes an owner after using it.'
              : 'A person without an account gets an invitation and becomes an owner after confirming it.'
          }
          autoComplete="off"
          readOnly={adding.isPending}
          data-autofocus
        />
        <DialogButtons action="Add Owner" busy={adding.isPending} />
      </form>
    </Dialog>
  );
}
