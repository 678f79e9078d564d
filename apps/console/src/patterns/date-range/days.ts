/** A day as 'YYYY-MM-DD', in the viewer's own zone. */
export const dayOf = (moment: Date): string => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
};

/** The first and the last day; either may still be missing while it is typed. */
export type DayRange = { from: string; to: string };

/** 'YYYY-MM-DD,YYYY-MM-DD', as calls take it; nothing where it is not whole or runs backwards. */
export const rangeText = ({ from, to }: DayRange): string =>
  from !== '' && to !== '' && from <= to ? `${from},${to}` : '';

export const readRange = (text: string | undefined): DayRange => {
  const [from = '', to = ''] = text?.split(',') ?? [];
  return { from, to };
};

export const isRangeText = (text: string): boolean => /^\d{4}-\d{2}-\d{2},\d{4}-\d{2}-\d{2}$/.test(text);

/** The last days, today among them. */
export const lastDays = (count: number, now = new Date()): DayRange => {
  const first = new Date(now);
  first.setDate(now.getDate() - count + 1);
  return { from: dayOf(first), to: dayOf(now) };
};

/** The days of UTC, by which ranges are counted, into which the viewer's last days reach: nothing of theirs is left out. */
export const lastDaysInUtc = (count: number, now = new Date()): DayRange => {
  const first = new Date(now);
  first.setDate(now.getDate() - count + 1);
  first.setHours(0, 0, 0, 0);
  return { from: first.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) };
};
