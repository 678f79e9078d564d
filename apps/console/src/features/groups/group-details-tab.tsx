import '../../patterns/form/fields.css';
import { Skeleton } from '@mantine/core';
import { ApiError, type EditedGroup } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { useConflict } from '../../patterns/conflict/use-conflict.tsx';
import classes from '../../patterns/form/form.module.css';
import { PanelFooter } from '../../patterns/side-panel/panel-footer.tsx';
import { UnsavedGuard } from '../../patterns/side-panel/unsaved-guard.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { GroupFields, type GroupValues, useGroupForm } from './group-form.tsx';
import { groupQuery, reloadGroup, saveGroup } from './groups.api.ts';
import { toGroups } from './groups.links.ts';

/** §2.9, Group Details. */
export function GroupDetailsTab() {
  const id = Number(useParams()['group_id']);
  const { data: group } = useQuery(groupQuery(id));
  return group ? <GroupDetailsForm key={group.id} group={group} /> : <Skeleton height={150} radius="md" />;
}

type GroupDetailsFormProps = { group: EditedGroup };

const toValues = ({ name, description, version }: EditedGroup) => ({ name, description, version });

function GroupDetailsForm({ group }: GroupDetailsFormProps) {
  const network = useAdminNetwork();
  const formId = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const saving = useMutation(saveGroup(network));
  const form = useGroupForm('changed', toValues(group));
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toValues(await reloadGroup(group.id)),
    save: (values) => handleSubmit(values),
    busy: saving.isPending,
    labels: { name: 'Group Name' },
  });
  const handleSubmit = (values: GroupValues) => {
    if (saving.isPending) return;
    saving.mutate(
      { ...values, id: group.id, sso_server: group.sso_server },
      {
        onSuccess: (saved) => {
          form.setValues(toValues(saved));
          form.resetDirty(toValues(saved));
          showSuccess('Group successfully updated.');
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'group_exists') form.setFieldError('name', errorText(error));
          else if (!handleConflict(error)) showError(error);
        },
      },
    );
  };
  return (
    <form id={formId} className={classes.form} noValidate onSubmit={form.onSubmit(handleSubmit)}>
      <GroupFields form={form} busy={saving.isPending} />
      <PanelFooter
        action="update group"
        busy={saving.isPending}
        form={formId}
        onCancel={() => void navigate({ pathname: toGroups(network.name), search })}
      />
      <UnsavedGuard active={form.isDirty()} />
      {conflictDialog}
    </form>
  );
}
