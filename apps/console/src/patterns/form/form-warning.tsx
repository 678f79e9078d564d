import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './form.module.css';

type FormWarningProps = { children: ReactNode };

/** Something to check before the form is sent, which does not prevent sending it. */
export function FormWarning({ children }: FormWarningProps) {
  return (
    <p className={classes.warning} role="alert">
      <IconAlertTriangle size={18} aria-hidden="true" />
      {children}
    </p>
  );
}
