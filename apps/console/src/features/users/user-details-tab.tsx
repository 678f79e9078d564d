import { Skeleton, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { User } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { mainNetwork } from '../../api/session/role.ts';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import { Fold } from '../../patterns/fold/fold.tsx';
import classes from '../../patterns/form/form.module.css';
import { required } from '../../patterns/form/required.ts';
import { fullTime } from '../../patterns/format/format.ts';
import { PanelFooter } from '../../patterns/side-panel/panel-footer.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { UserSessions } from './help-desk/user-sessions.tsx';
import { UserSummary } from './help-desk/user-summary.tsx';
import { reloadUser, saveUser, userQuery } from './users.api.ts';
import { toUsers } from './users.links.ts';

/** §2.8, User Details. */
export function UserDetailsTab() {
  const network = useAdminNetwork();
  const id = Number(useParams()['user_id']);
  const { data: user } = useQuery(userQuery(network, id));
  if (!user) return <Placeholder />;
  return (
    <>
      <UserSummary user={user} />
      <UserDetailsForm key={user.id} user={user} />
    </>
  );
}

type UserDetailsFormProps = { user: User };

const toValues = ({ firstname, lastname, version }: User) => ({ firstname, lastname, version });

function UserDetailsForm({ user }: UserDetailsFormProps) {
  const network = useAdminNetwork();
  const formId = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const saving = useMutation(saveUser(network));
  // An owner of the main network administers whole accounts.
  const canRename = user.signup_server === network.name || network.name === mainNetwork;
  const form = useForm({
    initialValues: toValues(user),
    validate: {
      firstname: required('Firstname field is required'),
      lastname: required('Lastname field is required'),
    },
    validateInputOnBlur: true,
    clearInputErrorOnChange: true,
  });
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toValues(await reloadUser(network, user.id)),
    save: (names) => handleSubmit(names),
    busy: saving.isPending,
    labels: { firstname: 'First Name', lastname: 'Last Name' },
  });
  const handleSubmit = (names: typeof form.values) => {
    if (saving.isPending) return;
    const { id, uid, status, user_mode, global_user, sso_server_id, groups } = user;
    const fullname = `${names.firstname.trim()} ${names.lastname.trim()}`;
    saving.mutate(
      { id, uid, status, user_mode, global_user, sso_server_id, groups, fullname, ...names },
      {
        onError: (error) => void (handleConflict(error) || showError(error)),
        onSuccess: (saved) => {
          form.setValues(toValues(saved));
          form.resetDirty(toValues(saved));
          showSuccess('User successfully updated.');
        },
      },
    );
  };
  return (
    <form id={formId} className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <TextInput label="Email" value={user.email} readOnly />
      <TextInput
        {...form.getInputProps('firstname')}
        label="First Name"
        readOnly={!canRename}
        withAsterisk={canRename}
      />
      <TextInput {...form.getInputProps('lastname')} label="Last Name" readOnly={!canRename} withAsterisk={canRename} />
      {!canRename && (
        <p className={classes.hint}>
          The home network of this person is {user.signup_server}, so the name cannot be changed here.
        </p>
      )}
      <Fold title="Other Details">
        <TextInput label="Created" value={fullTime(user.created)} readOnly />
        <TextInput label="Last Login" value={user.last_login ? fullTime(user.last_login) : 'never'} readOnly />
      </Fold>
      {!user.invited && <UserSessions user={user} />}
      {canRename ? (
        <PanelFooter
          action="update user"
          busy={saving.isPending}
          form={formId}
          onCancel={() => void navigate({ pathname: toUsers(network.name), search })}
        />
      ) : null}
      <UnsavedGuard active={form.isDirty()} />
      {conflictDialog}
    </form>
  );
}

function Placeholder() {
  return (
    <div className={classes.form} role="status" aria-label="Loading the user">
      {['email', 'firstname', 'lastname'].map((field) => (
        <Skeleton key={field} height={66} radius="md" />
      ))}
    </div>
  );
}
