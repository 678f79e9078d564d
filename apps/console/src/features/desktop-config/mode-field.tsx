import { type Conflict, conflictOf, NetworkMode } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { errorTextOr } from '../../api/transport/error-text.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { elementBeside } from '../../patterns/arrow-keys/element-beside.ts';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { ConflictDialog } from '../../patterns/conflict/conflict-dialog.tsx';
import { showError } from '../../patterns/toast/show-error.tsx';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { reloadMode, saveMode } from './desktop-config.api.ts';
import classes from './mode-field.module.css';

type ModeFieldProps = { network: NetworkRef; mode: NetworkMode; version: number };

type ModeConflict = { conflict: Conflict; wanted: NetworkMode; now: NetworkMode; version: number };

/** §4, network mode setting: the descriptions of the modes. */
const modeTexts: Record<NetworkMode, string> = {
  AdminManaged: 'Users see the desktop apps that have one of their groups, or no group at all.',
  All: 'Users see every desktop app, even those that they cannot sign in to.',
  Visited: 'Users see only the desktop apps that they have tried to sign in to.',
};

/** The mode of the network. Arrow keys only move the focus, so that a mode that is passed on the way is not saved. */
export function ModeField({ network, mode, version }: ModeFieldProps) {
  const id = useId();
  const saving = useMutation(saveMode(network));
  const [modeConflict, setModeConflict] = useState<ModeConflict>();
  const [asked, setAsked] = useState<NetworkMode>();
  const chosen = saving.isPending ? saving.variables.mode : mode;
  const save = (next: NetworkMode, basedOn: number) =>
    saving.mutate(
      { mode: next, version: basedOn },
      {
        onSuccess: ({ message }) => showSuccess(message),
        onSettled: () => setAsked(undefined),
        onError: (error) => {
          const conflict = conflictOf(error);
          if (conflict) showConflict(conflict, next);
          else showFault(errorTextOr(error, 'Failed to update network mode'));
        },
      },
    );
  const showConflict = (conflict: Conflict, wanted: NetworkMode) =>
    void reloadMode(network).then(
      ({ mode: now, modeVersion }) => setModeConflict({ conflict, wanted, now, version: modeVersion }),
      showError,
    );
  const choose = (next: NetworkMode) => {
    if (next !== chosen) setAsked(next);
  };
  const overwrite = ({ wanted, version: current }: ModeConflict) => {
    setModeConflict(undefined);
    save(wanted, current);
  };
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="radio"]')];
    const next = elementBeside(options, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <section className={classes.field}>
      <h2 id={id} className={classes.label}>
        Mode
      </h2>
      <div
        className={classes.modes}
        role="radiogroup"
        tabIndex={-1}
        aria-labelledby={id}
        aria-busy={saving.isPending}
        onKeyDown={handleKeyDown}
      >
        {NetworkMode.options.map((option) => (
          <button
            key={option}
            type="button"
            role="radio"
            className={classes.mode}
            aria-checked={option === chosen}
            aria-labelledby={`${id}-${option}`}
            aria-describedby={`${id}-${option}-means`}
            tabIndex={option === chosen ? 0 : -1}
            onClick={() => choose(option)}
          >
            <span className={classes.dot} />
            <span id={`${id}-${option}`} className={classes.name}>
              {option}
            </span>
            <span id={`${id}-${option}-means`} className={classes.sentence}>
              {modeTexts[option]}
            </span>
          </button>
        ))}
      </div>
      {asked && (
        <ConfirmDialog
          title="Change the mode?"
          text={`${modeTexts[asked]} This changes the desktop of everybody in ${network.name} at once.`}
          action={`Change to ${asked}`}
          busy={saving.isPending}
          onConfirm={() => save(asked, version)}
          onCancel={() => setAsked(undefined)}
        />
      )}
      {modeConflict && (
        <ConflictDialog
          conflict={modeConflict.conflict}
          rows={[{ label: 'Mode', current: modeConflict.now, edited: modeConflict.wanted }]}
          onUseCurrent={() => setModeConflict(undefined)}
          onOverwrite={() => overwrite(modeConflict)}
        />
      )}
    </section>
  );
}
