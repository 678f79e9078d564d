import { SegmentedControl, type SegmentedControlProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './form.module.css';

type SegmentedFieldProps = SegmentedControlProps & { label: string; hint?: ReactNode };

/** A choice between a few values, with its label above and a hint beside it. */
export function SegmentedField({ label, hint, ...control }: SegmentedFieldProps) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{label}</legend>
      <div className={classes.row}>
        <SegmentedControl {...control} aria-label={label} />
        {typeof hint === 'string' ? <span className={classes.hint}>{hint}</span> : hint}
      </div>
    </fieldset>
  );
}
