import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './form.module.css';

type FormErrorProps = { children: ReactNode };

/** An error of the whole form, or of a control that cannot show its own. Renders nothing without a text. */
export function FormError({ children }: FormErrorProps) {
  if (!children) return null;
  return (
    <p className={classes.fault} role="alert">
      <IconAlertCircle size={18} aria-hidden="true" />
      {children}
    </p>
  );
}
