import { useQuery } from '@tanstack/react-query';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { retentionQuery } from './activity.api.ts';
import classes from './retention-note.module.css';

/** The note below the log: how long lines are kept. */
export function RetentionNote() {
  const days = useQuery(retentionQuery(useSelectedNetwork())).data?.days;
  return (
    <p className={classes.note}>
      {days !== undefined && (days === 0 ? 'Lines are never deleted.' : `Lines are kept for at least ${days} days.`)}
      {days !== undefined && ' Dates in the filter are in UTC.'}
    </p>
  );
}
