import type { GettingStarted } from '@opensocial/contract';
import { logTime } from '../../../patterns/time/log-time.ts';

/** Why the scheduled backups do not count as made. */
export const describeBackups = ({ made_at, failed_at, failure }: NonNullable<GettingStarted['backups']>): string => {
  const last = made_at ? `The last backup is of ${logTime(made_at)}.` : 'There is no backup yet.';
  if (failed_at) return `The backup of ${logTime(failed_at)} failed: ${failure} ${last}`;
  return made_at
    ? `${last} The next one is overdue: see the log of the server.`
    : `${last} The server makes the first one within ten minutes.`;
};
