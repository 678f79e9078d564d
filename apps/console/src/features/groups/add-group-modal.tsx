import { ApiError, type Group } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../patterns/form/dialog-buttons.tsx';
import classes from '../../patterns/form/form.module.css';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { GroupFields, type GroupValues, useGroupForm } from './group-form.tsx';
import { addGroup } from './groups.api.ts';

type AddGroupModalProps = { onClose: () => void; onAdded?: (group: Group) => void };

/** §2.9. */
export function AddGroupModal({ onClose, onAdded }: AddGroupModalProps) {
  const network = useAdminNetwork();
  const adding = useMutation(addGroup(network));
  const form = useGroupForm('new', { name: '', description: '' });
  const handleSubmit = (values: GroupValues) => {
    if (adding.isPending) return;
    adding.mutate(values, {
      onSuccess: (group) => {
        showSuccess(`Group ${group.name} added`);
        onAdded?.(group);
        onClose();
      },
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'group_exists') form.setFieldError('name', errorText(error));
        else showError(error);
      },
    });
  };
  return (
    <Dialog onClose={onClose} title="Add New Group" size={460} dirty={form.isDirty()}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          // The dialog may be opened in another form, which React would submit too.
          event.stopPropagation();
          form.onSubmit(handleSubmit)(event);
        }}
      >
        <GroupFields form={form} busy={adding.isPending} />
        <DialogButtons action="Add Group" busy={adding.isPending} />
      </form>
    </Dialog>
  );
}
