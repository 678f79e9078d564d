import type { DesktopApp } from '@opensocial/contract';
import { clockTime, shortDate } from '../format/format.ts';

/** A tile has room for a time or a date, and the time is what matters on the same day. */
const briefTime = (moment: string): string =>
  (new Date(moment).toDateString() === new Date().toDateString() ? clockTime : shortDate)(moment);

export type TileState = Pick<DesktopApp, 'is_closed' | 'closes_at' | 'opens_at' | 'is_unreachable'>;

/** What the tile of a site announces, with times in the time zone of the viewer; undefined if there is nothing to say. */
export const describeTileState = ({
  is_closed = false,
  closes_at = null,
  opens_at = null,
  is_unreachable = false,
}: Partial<TileState>): string | undefined => {
  if (is_closed) return opens_at ? `Closed until ${briefTime(opens_at)}` : undefined;
  if (is_unreachable) return 'Not reachable';
  return closes_at ? `Closes ${briefTime(closes_at)}` : undefined;
};
