const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** A date in a mail. The server does not know the time zone of the reader, so that every date names its own. */
export const toUtcDay = (moment: Date): string => `${dateFormat.format(moment)} UTC`;

/** Date and time in a mail. */
export const toUtcTime = (moment: Date): string => `${timeFormat.format(moment)} UTC`;
