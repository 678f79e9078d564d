import { DateRange } from '@opensocial/contract';
import { formatDay } from '../format/format.ts';
import { viewerZone } from '../time/viewer-zone.ts';

/** Formats a date as 'YYYY-MM-DD' in the viewer's time zone. */
export const dayOf = (moment: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
};

/** The first and the last day. Either may be missing while the user types. */
export type DayRange = { from: string; to: string };

/** Formats a range as 'YYYY-MM-DD,YYYY-MM-DD' for calls. Empty if it is incomplete or reversed. */
export const rangeText = ({ from, to }: DayRange): string =>
  from !== '' && to !== '' && from <= to ? `${from},${to}` : '';

/** Ranges with a name, from the first day to the last one, in days before today. */
export const quickChoices = [
  { value: 'today', label: 'Today', first: 0, last: 0 },
  { value: 'yesterday', label: 'Yesterday', first: 1, last: 1 },
  { value: 'last-7-days', label: 'Last 7 days', first: 6, last: 0 },
  { value: 'last-30-days', label: 'Last 30 days', first: 29, last: 0 },
  { value: 'last-365-days', label: 'Last 365 days', first: 364, last: 0 },
] as const;

const quickChoiceOf = (text: string) => quickChoices.find(({ value }) => value === text);

/** Counts days of the calendar, because a day can have 23 or 25 hours. */
const daysBefore = (now: Date, days: number): string =>
  dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days));

/** Whether a text is the name of a quick choice, or a range as 'YYYY-MM-DD,YYYY-MM-DD'. */
export const isDays = (text: string): boolean => quickChoiceOf(text) !== undefined || DateRange.safeParse(text).success;

/** The days of a range, or of a quick choice at this moment. */
export const readDays = (text: string, now = new Date()): DayRange => {
  const choice = quickChoiceOf(text);
  if (choice) return { from: daysBefore(now, choice.first), to: daysBefore(now, choice.last) };
  const [from = '', to = ''] = text.split(',');
  return { from, to };
};

/** The name of a quick choice, or the first and the last day. */
export const nameOfDays = (text: string): string => {
  const choice = quickChoiceOf(text);
  if (choice) return choice.label;
  const { from, to } = readDays(text);
  return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
};

/**
 * A filter by days for a call: the range for its path, and the time zone for its query. The text may come from an address that was
 * written by hand.
 */
export const askForDays = (text: string | undefined): { time: string | undefined; zone: string | undefined } =>
  text !== undefined && isDays(text)
    ? { time: rangeText(readDays(text)) || undefined, zone: viewerZone() }
    : { time: undefined, zone: undefined };

/** The address of a file whose lines are filtered. Values that are undefined are left out. */
export const withQuery = (path: string, values: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};
