import type { Destination } from '../destination/destinations.queries.ts';

type Site = Pick<Destination['site'], 'site_name' | 'site_mode' | 'closed_message' | 'closes_at' | 'opens_at'>;

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** The server does not know the time zone of a person who has not signed in. */
const toText = (moment: Date): string => `${format.format(moment)} UTC`;

/** What people read at a closed site, with the time at which it opens again if that is planned. */
export const closedMessage = ({ closed_message, opens_at }: Site): string => {
  const message =
    closed_message || (opens_at ? 'It is closed for now.' : 'It is closed for now. Please try again later.');
  return opens_at ? `${message} It opens again on ${toText(opens_at)}.` : message;
};

/** The announcement of maintenance that is planned for an open site. */
export const plannedMaintenance = ({ site_name, site_mode, closes_at, opens_at }: Site): string | undefined => {
  if (site_mode !== 'Open' || !closes_at) return undefined;
  const end = opens_at ? ` to ${toText(opens_at)}` : '';
  return `${site_name} will be closed from ${toText(closes_at)}${end}.`;
};
