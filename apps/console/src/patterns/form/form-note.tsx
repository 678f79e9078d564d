import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './form.module.css';

type FormNoteProps = { children: ReactNode };

/** Explains what a setting means in the current situation. */
export function FormNote({ children }: FormNoteProps) {
  return (
    <p className={classes.note}>
      <IconInfoCircle size={18} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
