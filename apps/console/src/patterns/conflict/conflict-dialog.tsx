import { Button } from '@mantine/core';
import type { Conflict } from '@opensocial/contract';
import { useSessionUser } from '../../api/session/session.ts';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { ComparisonTable } from '../comparison-table/comparison-table.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { fullTime } from '../format/format.ts';
import classes from './conflict-dialog.module.css';

/** A field that another person has changed: the stored value, and the value that this form wants to save. */
export type ConflictRow = {
  label: string;
  current: string;
  edited: string;
};

type ConflictDialogProps = {
  conflict: Conflict;
  rows: readonly ConflictRow[];
  busy?: boolean;
  onUseCurrent: () => void;
  onOverwrite: () => void;
  /** Absent if there is no form to return to. */
  onKeepEditing?: () => void;
};

/** Appears when the server refused a save because another person has changed the same record. Mounted while it is open. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { conflict, rows, busy = false, onUseCurrent, onOverwrite, onKeepEditing } = props;
  const { username } = useSessionUser();
  return (
    <Dialog
      onClose={onKeepEditing ?? onUseCurrent}
      title="This was changed in the meantime"
      size={620}
      closeOnClickOutside={false}
    >
      <p>
        <strong className={classes.who}>{describeAuthor(conflict, username)}</strong> changed this on{' '}
        {fullTime(conflict.changed_at)}, after you had opened it. Your changes are not saved yet.
      </p>
      <div className={classes.table}>
        <ComparisonTable
          sides={['Current', 'Yours']}
          rows={rows.map(({ label, current, edited }) => ({ label, values: [current, edited] }))}
        />
      </div>
      <div className={classes.buttons}>
        {onKeepEditing && (
          <Button variant="default" data-autofocus onClick={onKeepEditing}>
            Keep editing
          </Button>
        )}
        <Button variant="default" {...(!onKeepEditing && { 'data-autofocus': true })} onClick={onUseCurrent}>
          Use theirs
        </Button>
        <BusyButton color="red" busy={busy} onClick={onOverwrite}>
          Save mine anyway
        </BusyButton>
      </div>
    </Dialog>
  );
}

const describeAuthor = ({ changed_by }: Conflict, username: string): string => {
  if (changed_by === '') return 'Somebody else';
  return changed_by === username ? 'You, in another window,' : changed_by;
};
