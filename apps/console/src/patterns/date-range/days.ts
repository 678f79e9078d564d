/** Formats a date as 'YYYY-MM-DD' in the viewer's time zone. */
export const dayOf = (moment: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
};

/** The first and the last day. Either may be missing while the user types. */
export type DayRange = { from: string; to: string };

/** Formats a range as 'YYYY-MM-DD,YYYY-MM-DD' for calls. Undefined if it is incomplete or reversed. */
export const rangeText = ({ from, to }: DayRange): string =>
  from !== '' && to !== '' && from <= to ? `${from},${to}` : '';

export const readRange = (text: string | undefined): DayRange => {
  const [from = '', to = ''] = text?.split(',') ?? [];
  return { from, to };
};

export const isRangeText = (text: string): boolean => /^\d{4}-\d{2}-\d{2},\d{4}-\d{2}-\d{2}$/.test(text);

/** A range of the last days, including today. */
export const lastDays = (count: number, now = new Date()): DayRange => {
  const first = new Date(now);
  first.setDate(now.getDate() - count + 1);
  return { from: dayOf(first), to: dayOf(now) };
};

/** The UTC days that overlap the viewer's last days. Filters count UTC days, so no part of the viewer's days is missing. */
export const lastDaysInUtc = (count: number, now = new Date()): DayRange => {
  const first = new Date(now);
  first.setDate(now.getDate() - count + 1);
  first.setHours(0, 0, 0, 0);
  return { from: first.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
};
