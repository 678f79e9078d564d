import type { DesktopApp } from '@opensocial/contract';
import { shortTime } from '../time/log-time.ts';

/** A tile has room for a time or a date, and the time is what matters on the same day. */
const briefTime = (moment: string): string => {
  const [date = '', time = ''] = shortTime(moment).split(', ');
  return new Date(moment).toDateString() === new Date().toDateString() ? time : date;
};

export type MaintenanceState = Pick<DesktopApp, 'is_closed' | 'closes_at' | 'opens_at'>;

/** The maintenance of a site in a few words, in the time zone of the viewer; undefined if none is planned. */
export const describeMaintenance = ({
  is_closed = false,
  closes_at = null,
  opens_at = null,
}: Partial<MaintenanceState>): string | undefined => {
  if (is_closed) return opens_at ? `Closed until ${briefTime(opens_at)}` : undefined;
  return closes_at ? `Closes ${briefTime(closes_at)}` : undefined;
};
