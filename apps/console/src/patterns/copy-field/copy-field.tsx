import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';

type CopyFieldProps = {
  label: string;
  value: string;
  /** The displayed text, if it differs from the copied value. */
  shown?: string;
};

/** A read-only value with a button that copies it. */
export function CopyField({ label, value, shown = value }: CopyFieldProps) {
  return (
    <div className={classes.field}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.line}>
        <span className={classes.value}>{shown}</span>
        <CopyButton name={`Copy ${label}`} value={value} />
      </dd>
    </div>
  );
}
