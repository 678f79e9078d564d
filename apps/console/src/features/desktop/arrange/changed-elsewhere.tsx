import { Button } from '@mantine/core';
import { errors } from '@opensocial/contract';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import classes from './arrange-dialog.module.css';

type ChangedElsewhereProps = { busy: boolean; onDiscard: () => void; onOverwrite: () => void };

/** Appears when the save was refused because another browser of the same person has saved first. */
export function ChangedElsewhere({ busy, onDiscard, onOverwrite }: ChangedElsewhereProps) {
  return (
    <div className={classes.changed}>
      <FormWarning>{errors.sections_changed.message} Yours are not saved yet.</FormWarning>
      <div className={classes.choices}>
        <Button variant="default" onClick={onDiscard}>
          Show the current ones
        </Button>
        <BusyButton color="red" busy={busy} onClick={onOverwrite}>
          Save mine anyway
        </BusyButton>
      </div>
    </div>
  );
}
