import { type Conflict, conflictOf } from '@opensocial/contract';
import { type ReactNode, useState } from 'react';
import { showError } from '../toast/show-error.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { conflictRows } from './conflict-rows.ts';

/** What is needed of a form of Mantine's. */
type EditedForm<Values> = {
  getValues: () => Values;
  isDirty: (field: never) => boolean;
  setValues: (values: Values) => void;
  setInitialValues: (values: Values) => void;
  resetDirty: (values: Values) => void;
  clearErrors: () => void;
};

type ConflictParts<Values extends object> = {
  form: EditedForm<Values>;
  /** Reads the record again, as values of the form. */
  load: () => Promise<Values>;
  save: (values: Values) => void;
  busy: boolean;
  /** What the form calls its fields, where the name of the field does not tell. */
  labels?: Readonly<Record<string, string>>;
};

type Found<Values> = { conflict: Conflict; theirs: Values };

/**
 * For a form whose values hold the version of the record. A save that is refused because somebody else has changed the record opens a
 * dialog with both sides. Overwriting keeps only the fields that were edited here: all others are taken over as they are now.
 */
export const useConflict = <Values extends object>(parts: ConflictParts<Values>) => {
  const { form, load, save, busy, labels = {} } = parts;
  const [found, setFound] = useState<Found<Values>>();
  const edited = new Set(Object.keys(form.getValues()).filter((field) => form.isDirty(field as never)));
  const close = () => setFound(undefined);

  /** For errors of the save: opens the dialog if it was a conflict. Answers whether it was. */
  const handleConflict = (error: unknown): boolean => {
    const conflict = conflictOf(error);
    if (!conflict) return false;
    void show(conflict);
    return true;
  };
  const show = async (conflict: Conflict) => {
    try {
      setFound({ conflict, theirs: await load() });
    } catch (error) {
      showError(error);
    }
  };
  const takeTheirs = ({ theirs }: Found<Values>) => {
    form.setInitialValues(theirs);
    form.setValues(theirs);
    form.resetDirty(theirs);
    form.clearErrors();
    close();
  };
  const overwrite = ({ theirs }: Found<Values>) => {
    const own = Object.fromEntries(Object.entries(form.getValues()).filter(([field]) => edited.has(field)));
    const merged = { ...theirs, ...own };
    form.setValues(merged);
    close();
    save(merged);
  };
  const conflictDialog: ReactNode = found && (
    <ConflictDialog
      conflict={found.conflict}
      rows={conflictRows({
        fields: found.conflict.fields,
        theirs: found.theirs,
        mine: form.getValues(),
        labels,
        edited,
      })}
      busy={busy}
      onTakeTheirs={() => takeTheirs(found)}
      onOverwrite={() => overwrite(found)}
      onKeepEditing={close}
    />
  );
  return { handleConflict, conflictDialog };
};
