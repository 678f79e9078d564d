import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copy-field.module.css';

type CopyFieldProps = {
  label: string;
  value: string;
  /** The displayed text, if it differs from the copied value. */
  shown?: string;
};

/** A read-only value with a button that copies it. */
export function CopyField({ label, value, shown = value }: CopyFieldProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  return (
    <div className={classes.field}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.line}>
        <span className={classes.value}>{shown}</span>
        <ActionIcon
          variant="subtle"
          color={copied ? 'green' : 'gray'}
          size={36}
          aria-label={`Copy ${label}`}
          onClick={() => copy(value)}
        >
          {copied ? <IconCheck size={18} /> : <IconCopy size={18} stroke={1.8} />}
        </ActionIcon>
        <span className="visually-hidden" role="status">
          {copied && `${label} copied`}
        </span>
      </dd>
    </div>
  );
}
