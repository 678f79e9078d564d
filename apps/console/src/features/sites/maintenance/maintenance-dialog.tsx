import '../../../patterns/form/fields.css';
import { TextInput } from '@mantine/core';
import { ApiError, conflictOf, type SiteMaintenance, siteLabels } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { queryClient } from '../../../api/transport/query-client.ts';
import { Dialog } from '../../../patterns/dialog/dialog.tsx';
import { DialogButtons } from '../../../patterns/form/dialog-buttons.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { RecordSelect } from '../../../patterns/record-select/record-select.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { fromField, toField } from './local-time.ts';
import { maintenanceQuery, planMaintenance, testerGroupsQuery } from './maintenance.api.ts';

type MaintenanceDialogProps = { siteId: number; maintenance: SiteMaintenance; onClose: () => void };

/** Plans when a site is closed and opened. Empty fields remove a plan. */
export function MaintenanceDialog({ siteId, maintenance, onClose }: MaintenanceDialogProps) {
  const network = useAdminNetwork();
  const planning = useMutation(planMaintenance(network, siteId));
  const [closes, setCloses] = useState(toField(maintenance.closes_at));
  const [opens, setOpens] = useState(toField(maintenance.opens_at));
  const [testers, setTesters] = useState(maintenance.testers);
  const [fault, setFault] = useState<string>();
  const isDirty =
    closes !== toField(maintenance.closes_at) ||
    opens !== toField(maintenance.opens_at) ||
    testers?.id !== maintenance.testers?.id;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const [closes_at, opens_at] = [fromField(closes, maintenance.closes_at), fromField(opens, maintenance.opens_at)];
    const isReversed = closes_at !== null && opens_at !== null && Date.parse(opens_at) <= Date.parse(closes_at);
    setFault(isReversed ? 'The site has to open after it has closed.' : undefined);
    if (isReversed || planning.isPending) return;
    planning.mutate(
      { closes_at, opens_at, testers_group_id: testers?.id ?? null, based_on: maintenance.version },
      {
        onSuccess: () => {
          showSuccess('Maintenance saved.');
          onClose();
        },
        onError: (error) => {
          if (conflictOf(error)) void queryClient.invalidateQueries({ queryKey: maintenanceQuery(siteId).queryKey });
        },
      },
    );
  };
  const isPast = planning.error instanceof ApiError && planning.error.code === 'maintenance_past';
  const time = { type: 'datetime-local', readOnly: planning.isPending } as const;
  return (
    <Dialog onClose={onClose} title="Plan maintenance" size={520} dirty={isDirty}>
      <form className={formClasses.form} noValidate onSubmit={handleSubmit}>
        <p className={formClasses.hint}>
          The site is closed and opened at these times, in your time zone. Tiles and the sign-in page of the site
          announce it. Leave a field empty if nothing is planned.
        </p>
        <TextInput
          {...time}
          label={siteLabels.closes_at}
          value={closes}
          error={isPast && planning.error?.message}
          onChange={(event) => setCloses(event.currentTarget.value)}
          data-autofocus
        />
        <TextInput
          {...time}
          label={siteLabels.opens_at}
          value={opens}
          error={fault}
          onChange={(event) => setOpens(event.currentTarget.value)}
        />
        <RecordSelect
          label={siteLabels.testers}
          placeholder="No group"
          query={(search) => testerGroupsQuery(network, search)}
          labelOf={({ name }) => name}
          noun="groups"
          nothingFound="No group with this name"
          chosen={testers ? { id: testers.id, label: testers.name } : undefined}
          onChoose={(group) => setTesters(group ? { id: group.id, name: group.name } : null)}
          clearable
        />
        <FormError>
          {planning.error && !isPast && (conflictOf(planning.error) ? conflictText : errorText(planning.error))}
        </FormError>
        <DialogButtons action="Save" busy={planning.isPending} />
      </form>
    </Dialog>
  );
}

const conflictText = 'Somebody else has changed the site in the meantime. Close this dialog and check the plan again.';
