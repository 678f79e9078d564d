import '../../patterns/form/fields.css';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ApiError, Email } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type ComponentType, useId } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { useLacksMail } from '../../api/session/mail-delivery.ts';
import { errorText } from '../../api/transport/error-text.ts';
import classes from '../../patterns/form/form.module.css';
import { FormWarning } from '../../patterns/form/form-warning.tsx';
import { required } from '../../patterns/form/required.ts';
import { useNavigateFromHere } from '../../patterns/links/use-navigate-from-here.ts';
import { PanelFooter } from '../../patterns/side-panel/panel-footer.tsx';
import { SidePanel } from '../../patterns/side-panel/side-panel.tsx';
import { afterSaving, UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { addUser } from './users.api.ts';
import { toNewUser, toUsers, toUserTab } from './users.links.ts';

/** §5, new user: one message for an empty field, another for an invalid address on blur, a third for it on submit. */
const emailFault = (email: string): string | undefined => {
  if (email.trim() === '') return 'The email field is required';
  return Email.safeParse(email).success ? undefined : 'Please enter a valid email address';
};

/** A field to choose groups by their ids. Groups are another feature, so the router provides it. */
export type GroupsField = ComponentType<{ value: readonly string[]; onChange: (ids: string[]) => void }>;

type NewUserPanelProps = { GroupsField: GroupsField };

/** §2.8, new-user panel. */
export function NewUserPanel({ GroupsField }: NewUserPanelProps) {
  const network = useAdminNetwork();
  const formId = useId();
  const navigate = useNavigate();
  const navigateFromHere = useNavigateFromHere();
  const { search } = useLocation();
  const lacksMail = useLacksMail(network.name);
  const adding = useMutation(addUser(network));
  const form = useForm({
    initialValues: { email: '', firstname: '', lastname: '', groups: [] as string[] },
    validate: {
      email: emailFault,
      firstname: required('The firstname field is required'),
      lastname: required('The lastname field is required'),
    },
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
  });
  const list = { pathname: toUsers(network.name), search };
  const handleError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'user_exists') form.setFieldError('email', errorText(error));
    else showError(error);
  };
  const handleSubmit = ({ groups: ids, ...person }: typeof form.values) => {
    if (adding.isPending) return;
    adding.mutate(
      { ...person, groups: ids.map((id) => ({ id: Number(id) })) },
      {
        onError: handleError,
        onSuccess: ({ id, email }) => {
          showSuccess(lacksMail ? `${email} was added. Now create an invitation link.` : `${email} is invited.`);
          // Without mail, the next step is the link in the panel of the person.
          const panel = { pathname: toUserTab(network.name, id, 'details'), search };
          void navigateFromHere(lacksMail ? panel : list, afterSaving);
        },
      },
    );
  };
  const handleFaults = () => {
    const { email } = form.values;
    if (email.trim() !== '' && emailFault(email)) form.setFieldError('email', 'The valid email field is required');
  };
  return (
    <SidePanel
      closeTo={toUsers(network.name)}
      plate="+"
      name="New user"
      state={`In ${network.name}`}
      tabs={[{ label: 'User Details', to: toNewUser(network.name) }]}
    >
      <form id={formId} className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit, handleFaults)}>
        {lacksMail && (
          <FormWarning>
            No mail server is set up, so the person gets no email. After this, you can create a link for them.
          </FormWarning>
        )}
        <h3 className={classes.heading}>User information</h3>
        <TextInput {...form.getInputProps('email')} type="email" label="Email" autoComplete="off" withAsterisk />
        <TextInput {...form.getInputProps('firstname')} label="First Name" autoComplete="off" withAsterisk />
        <TextInput {...form.getInputProps('lastname')} label="Last Name" autoComplete="off" withAsterisk />
        <GroupsField value={form.values.groups} onChange={(ids) => form.setFieldValue('groups', ids)} />
        <PanelFooter action="create user" busy={adding.isPending} form={formId} onCancel={() => void navigate(list)} />
        <UnsavedGuard active={form.isDirty()} />
      </form>
    </SidePanel>
  );
}
