import { Chip } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form.module.css';
import { FormError } from './form-error.tsx';

type ChipsFieldProps = {
  label: string;
  options: readonly { value: string; label: string }[];
  value?: readonly string[];
  error?: ReactNode;
  description?: string;
  onChange: (chosen: string[]) => void;
  /** Further fields of the group. */
  children?: ReactNode;
};

/** A choice of several values, with its label above and its error below. */
export function ChipsField({ label, options, value = [], error, description, onChange, children }: ChipsFieldProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      {description && <p className={classes.hint}>{description}</p>}
      <Chip.Group multiple value={[...value]} onChange={onChange}>
        <div className={classes.row}>
          {options.map((option) => (
            <Chip key={option.value} value={option.value} variant="outline">
              {option.label}
            </Chip>
          ))}
        </div>
      </Chip.Group>
      <FormError>{error}</FormError>
      {children}
    </fieldset>
  );
}
