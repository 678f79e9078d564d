import { type Conflict, conflictOf } from '@opensocial/contract';
import { type ReactNode, useState } from 'react';
import { showError } from '../toast/show-error.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { conflictRows } from './conflict-rows.ts';

/** The part of a Mantine form that this hook uses. */
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
  /** Loads the current record as form values. */
  load: () => Promise<Values>;
  save: (values: Values) => void;
  busy: boolean;
  /** The labels of fields whose name is not readable. */
  labels?: Readonly<Record<string, string>>;
  /** For a record whose fields are stored as one: the fields of the form that another person has changed. */
  changedFields?: (current: Values) => string[];
};

type Found<Values> = { conflict: Conflict; current: Values };

/**
 * For a form whose values include the version of the record. If the server refuses a save because another person has
 * changed the record, a dialog shows both values. "Save mine anyway" sends only the fields that were edited here; all
 * other fields take the current values.
 */
export const useConflict = <Values extends object>(parts: ConflictParts<Values>) => {
  const { form, load, save, busy, labels = {}, changedFields } = parts;
  const [found, setFound] = useState<Found<Values>>();
  const editedFields = new Set(Object.keys(form.getValues()).filter((field) => form.isDirty(field as never)));
  const close = () => setFound(undefined);

  /** Handles an error of the save: opens the dialog for a conflict. Returns whether it was a conflict. */
  const handleConflict = (error: unknown): boolean => {
    const conflict = conflictOf(error);
    if (!conflict) return false;
    void show(conflict);
    return true;
  };
  const show = async (conflict: Conflict) => {
    try {
      setFound({ conflict, current: await load() });
    } catch (error) {
      showError(error);
    }
  };
  const takeCurrent = ({ current }: Found<Values>) => {
    form.setInitialValues(current);
    form.setValues(current);
    form.resetDirty(current);
    form.clearErrors();
    close();
  };
  const overwrite = ({ current }: Found<Values>) => {
    const edited = Object.fromEntries(Object.entries(form.getValues()).filter(([field]) => editedFields.has(field)));
    const merged = { ...current, ...edited };
    form.setValues(merged);
    close();
    save(merged);
  };
  const conflictDialog: ReactNode = found && (
    <ConflictDialog
      conflict={found.conflict}
      rows={conflictRows({
        fields: changedFields?.(found.current) ?? found.conflict.fields,
        current: found.current,
        edited: form.getValues(),
        labels,
        editedFields,
      })}
      busy={busy}
      onUseCurrent={() => takeCurrent(found)}
      onOverwrite={() => overwrite(found)}
      onKeepEditing={close}
    />
  );
  return { handleConflict, conflictDialog };
};
