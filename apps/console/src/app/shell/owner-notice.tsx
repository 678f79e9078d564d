import { IconShieldExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { toProfile } from '../../features/profile/profile.routes.tsx';
import { logTime } from '../../patterns/time/log-time.ts';
import classes from './owner-notice.module.css';

type OwnerNoticeProps = { due: string };

/** Tells an owner without a second factor until when to set one up. */
export function OwnerNotice({ due }: OwnerNoticeProps) {
  const [shownAt] = useState(() => Date.now());
  const isOver = Date.parse(due) <= shownAt;
  return (
    <aside className={classes.notice} aria-label="Second factor">
      <IconShieldExclamation size={20} stroke={1.8} aria-hidden="true" />
      <p>
        Owners need a second factor.{' '}
        {isOver ? (
          'Your next sign-in asks for it.'
        ) : (
          <>
            Set one up by <time dateTime={due}>{logTime(due)}</time>. After that, signing in asks for it.
          </>
        )}
      </p>
      <Link className={classes.link} to={toProfile()}>
        Set up a second factor
      </Link>
    </aside>
  );
}
