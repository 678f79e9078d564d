import { type ReactNode, useId, useRef, useState } from 'react';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { showErrorField } from '../toast/show-error-field.tsx';
import classes from './choice-field.module.css';

type ChoiceFieldProps = {
  label: string;
  description?: ReactNode;
  /** What is chosen, on a plate. */
  preview: ReactNode;
  /** The plate is as wide as a screen is. */
  wide?: boolean;
  filled: boolean;
  /** Each may take its time, and its failure is a toast. */
  onChoose: () => Promise<unknown>;
  onRemove: () => Promise<unknown>;
};

type Deed = 'choosing' | 'removing';

/** A field whose value is chosen from a library. */
export function ChoiceField({ label, description, preview, wide, filled, onChoose, onRemove }: ChoiceFieldProps) {
  const labelId = useId();
  const chooser = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState<Deed>();

  const run = async (deed: Deed, act: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(deed);
    try {
      await act();
    } catch (error) {
      showErrorField(error);
    } finally {
      setBusy(undefined);
    }
  };
  const handleRemove = async () => {
    await onRemove();
    // The button that was pressed goes with what it removed.
    chooser.current?.focus();
  };
  const verb = filled ? 'Change' : 'Choose';
  return (
    <div className={classes.field} role="group" aria-labelledby={labelId}>
      <div className={classes.plate} data-wide={wide || undefined} data-filled={filled || undefined}>
        {preview}
      </div>
      <div className={classes.words}>
        <span id={labelId} className={classes.label}>
          {label}
        </span>
        {description && <p className={classes.description}>{description}</p>}
        <div className={classes.buttons}>
          <BusyButton
            ref={chooser}
            variant="default"
            size="sm"
            aria-label={`${verb} ${label}`}
            busy={busy === 'choosing'}
            onClick={() => void run('choosing', onChoose)}
          >
            {verb}
          </BusyButton>
          {filled && (
            <BusyButton
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove ${label}`}
              busy={busy === 'removing'}
              onClick={() => void run('removing', handleRemove)}
            >
              Remove
            </BusyButton>
          )}
        </div>
      </div>
    </div>
  );
}
