import { TimeZone } from '@opensocial/contract';

/**
 * The name of the viewer's time zone, for calls that count hours or days. Undefined if the browser reports an abbreviation, which the
 * server refuses: hours and days are those of UTC then.
 */
export const viewerZone = (): string | undefined =>
  TimeZone.safeParse(new Intl.DateTimeFormat().resolvedOptions().timeZone).data;
