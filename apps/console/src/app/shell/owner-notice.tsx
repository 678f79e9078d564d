import { IconShieldExclamation } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { toProfile } from '../../features/profile/profile.links.ts';
import { fullTime } from '../../patterns/format/format.ts';
import classes from './owner-notice.module.css';

type OwnerNoticeProps = { due: string };

/** Tells an owner without a second factor the date by which to set one up. */
export function OwnerNotice({ due }: OwnerNoticeProps) {
  const [shownAt] = useState(() => Date.now());
  const isOver = Date.parse(due) <= shownAt;
  return (
    <aside className={classes.notice} data-keep-clear aria-label="Second factor">
      <IconShieldExclamation size={20} stroke={1.8} aria-hidden="true" />
      <p>
        Owners need a second factor.{' '}
        {isOver ? (
          'You will be asked for it at your next sign-in.'
        ) : (
          <>
            Set one up by <time dateTime={due}>{fullTime(due)}</time>. After that, you will be asked for it when you
            sign in.
          </>
        )}
      </p>
      <Link className={classes.link} to={toProfile()}>
        Set up a second factor
      </Link>
    </aside>
  );
}
