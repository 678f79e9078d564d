import { useQuery } from '@tanstack/react-query';
import { useSelectedNetwork } from '../../api/session/session.ts';
import { countOf } from '../../patterns/format/format.ts';
import { viewerZone } from '../../patterns/time/viewer-zone.ts';
import { retentionQuery } from './activity.api.ts';
import classes from './retention-note.module.css';

/** The note below the log: how long lines are kept, and where the days of the filter begin. */
export function RetentionNote() {
  const zone = viewerZone();
  const days = useQuery(retentionQuery(useSelectedNetwork())).data?.days;
  return (
    <p className={classes.note}>
      {days !== undefined &&
        (days === 0
          ? 'Sign-ins are never deleted from this list.'
          : `Sign-ins are kept for at least ${countOf(days, 'day', 'days')}.`)}
      {days !== undefined && ` Days in the filter are days in ${zone ? `your time zone, ${zone}` : 'UTC'}.`}
    </p>
  );
}
