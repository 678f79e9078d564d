import { type ReactNode, useId, useRef, useState } from 'react';
import { BusyButton } from '../busy-button/busy-button.tsx';
import { showErrorField } from '../toast/show-error-field.tsx';
import classes from './choice-field.module.css';

type ChoiceFieldProps = {
  label: string;
  description?: ReactNode;
  /** The preview of the chosen value. */
  preview: ReactNode;
  /** Whether the preview has the proportions of a screen. */
  wide?: boolean;
  filled: boolean;
  /** Both may be asynchronous. An error is shown as a toast. */
  onChoose: () => Promise<unknown>;
  onRemove: () => Promise<unknown>;
};

type Action = 'choosing' | 'removing';

/** A field whose value is chosen from a library. */
export function ChoiceField({ label, description, preview, wide, filled, onChoose, onRemove }: ChoiceFieldProps) {
  const labelId = useId();
  const chooser = useRef<HTMLButtonElement>(null);
  const [busy, setBusy] = useState<Action>();

  const run = async (action: Action, act: () => Promise<unknown>) => {
    if (busy) return;
    setBusy(action);
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
    // The remove button disappears with the value, so the focus moves to the other button.
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
