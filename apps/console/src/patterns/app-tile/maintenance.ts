import type { DesktopApp } from '@opensocial/contract';
import { shortTime } from '../time/log-time.ts';

export type MaintenanceState = Pick<DesktopApp, 'is_closed' | 'closes_at' | 'opens_at'>;

/** The maintenance of a site in a few words, in the time zone of the viewer; undefined if none is planned. */
export const describeMaintenance = ({
  is_closed = false,
  closes_at = null,
  opens_at = null,
}: Partial<MaintenanceState>): string | undefined => {
  if (is_closed) return opens_at ? `Closed until ${shortTime(opens_at)}` : undefined;
  return closes_at ? `Closes ${shortTime(closes_at)}` : undefined;
};
