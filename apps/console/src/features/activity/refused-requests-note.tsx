import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { toUsers } from '../../api/links/panel-links.ts';
import { mainNetwork } from '../../api/session/role.ts';
import classes from './refused-requests-note.module.css';

type RefusedRequestsNoteProps = {
  /** The network, if the note is about its whole log. */
  network?: string;
  /** Where they are. */
  children: ReactNode;
};

/** §2.13: the log has attempts of people. Anybody can send requests, so those that fail before a person is known are not in it. */
export function RefusedRequestsNote({ network, children }: RefusedRequestsNoteProps) {
  return (
    <p className={classes.note}>
      Requests of applications that were refused before a person was known are not listed here. They are {children}.
      {network !== undefined && ' The search also finds the reference number of an error page.'}
      {network !== undefined && network !== mainNetwork && (
        <>
          {' '}
          People sign in to this console at the main network, so wrong passwords there are not listed either. For people
          whose home network is {network}, they are in the tab Timeline of each person in{' '}
          <Link to={toUsers(network)}>Users</Link>.
        </>
      )}
    </p>
  );
}
