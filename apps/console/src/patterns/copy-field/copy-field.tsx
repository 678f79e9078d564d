import { CopyButton } from './copy-button.tsx';
import classes from './copy-field.module.css';

type CopyFieldProps = {
  label: string;
  value: string;
  /** The displayed text, if it differs from the copied value. */
  shown?: string;
  /** Also called when the person copies the selected text, because the button cannot copy on plain http pages. */
  onCopied?: () => void;
};

/** A read-only value with a button that copies it. */
export function CopyField({ label, value, shown = value, onCopied }: CopyFieldProps) {
  return (
    <div className={classes.field}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.line} onCopy={onCopied}>
        <span className={classes.value}>{shown}</span>
        <CopyButton name={`Copy ${label}`} value={value} onCopied={onCopied} />
      </dd>
    </div>
  );
}
