import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form.module.css';
import { FormError } from './form-error.tsx';

type State = 'Enable' | 'Disable';

type SwitchFieldProps = {
  label: string;
  hint: string;
  value?: State;
  error?: ReactNode;
  /** The words in the switch, where the specification does not name the stored values. */
  words?: { on: string; off: string };
  onChange: (value: State) => void;
};

const switchClasses = {
  root: classes.switch ?? '',
  label: classes.switchLabel ?? '',
  trackLabel: classes.trackLabel ?? '',
};

const storedWords = { on: 'Enable', off: 'Disable' };

/** A setting that is stored as `Enable` or `Disable`, as a switch that shows which of them applies. */
export function SwitchField({ label, hint, value, error, words = storedWords, onChange }: SwitchFieldProps) {
  return (
    <div className={classes.group}>
      <Switch
        label={label}
        description={hint}
        classNames={switchClasses}
        onLabel={words.on}
        offLabel={words.off}
        checked={value === 'Enable'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'Enable' : 'Disable')}
      />
      <FormError>{error}</FormError>
    </div>
  );
}
