import type { ReactNode } from 'react';
import classes from './refused-requests-note.module.css';

type RefusedRequestsNoteProps = {
  /** Where they are. */
  children: ReactNode;
};

/** §2.13: the log has attempts of people. Anybody can send requests, so those that fail before a person is known are not in it. */
export function RefusedRequestsNote({ children }: RefusedRequestsNoteProps) {
  return (
    <p className={classes.note}>
      Requests of applications that were refused before a person was known are not listed here. They are {children}.
    </p>
  );
}
