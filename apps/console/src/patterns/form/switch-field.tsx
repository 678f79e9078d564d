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
  onChange: (value: State) => void;
};

const switchClasses = {
  root: classes.switch ?? '',
  label: classes.switchLabel ?? '',
  trackLabel: classes.trackLabel ?? '',
};

/** A setting that is stored as `Enable` or `Disable`, as a switch that shows which of them applies. */
export function SwitchField({ label, hint, value, error, onChange }: SwitchFieldProps) {
  return (
    <div className={classes.group}>
      <Switch
        label={label}
        description={hint}
        classNames={switchClasses}
        onLabel="Enable"
        offLabel="Disable"
        checked={value === 'Enable'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'Enable' : 'Disable')}
      />
      <FormError>{error}</FormError>
    </div>
  );
}
