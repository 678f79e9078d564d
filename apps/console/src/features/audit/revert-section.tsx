import type { AuditDetails } from '@opensocial/contract';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { toTrash } from '../../api/links/panel-links.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { BusyButton } from '../../patterns/busy-button/busy-button.tsx';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { exactTime } from '../../patterns/format/format.ts';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { revertRecord } from './audit.api.ts';
import { toChange } from './audit.links.ts';
import classes from './revert-section.module.css';

type RevertSectionProps = { record: AuditDetails; network: NetworkRef };

/** Undoes a change, or says why that is not possible. */
export function RevertSection({ record, network }: RevertSectionProps) {
  const [asking, setAsking] = useState(false);
  const reverting = useMutation(revertRecord(network, record.id));
  const handleConfirm = () =>
    reverting.mutate(undefined, {
      onSuccess: () => showSuccess('The change was reverted'),
      onError: showError,
      onSettled: () => setAsking(false),
    });
  return (
    <section className={classes.revert} aria-label="Revert">
      {record.reverts_id !== null && (
        <p className={classes.text}>
          This change has reverted <Link to={toChange(record.reverts_id)}>an earlier change</Link>.
        </p>
      )}
      {record.trash_id !== null ? (
        <p className={classes.text}>
          It can be restored from <Link to={toTrash(network.name)}>the trash</Link>.
        </p>
      ) : (
        <Possibility revert={record.revert} busy={reverting.isPending} onRevert={() => setAsking(true)} />
      )}
      {asking && (
        <ConfirmDialog
          title="Confirm reverting"
          text="The fields of this change get the values that they had before it. This is recorded as a change of its own."
          action="Revert this change"
          busy={reverting.isPending}
          onConfirm={handleConfirm}
          onCancel={() => setAsking(false)}
        />
      )}
    </section>
  );
}

type PossibilityProps = { revert: AuditDetails['revert']; busy: boolean; onRevert: () => void };

function Possibility({ revert, busy, onRevert }: PossibilityProps) {
  if (revert.state === 'impossible') return <p className={classes.text}>{revert.reason}</p>;
  if (revert.state === 'possible')
    return (
      <BusyButton variant="default" leftSection={<IconArrowBackUp size={17} />} busy={busy} onClick={onRevert}>
        Revert this change
      </BusyButton>
    );
  return (
    <div className={classes.text}>
      <p>This change cannot be reverted, because it was changed again since:</p>
      <ul>
        {revert.fields.map(({ field, label, changed_by, changed_at }) => (
          <li key={field}>
            {label}
            {changed_by !== '' && ` by ${changed_by}`}
            {changed_at !== null && `, ${exactTime(changed_at)}`}
          </li>
        ))}
      </ul>
    </div>
  );
}
