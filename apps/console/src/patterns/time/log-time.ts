const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options);
const weekday = part({ weekday: 'short' });
const month = part({ month: 'short' });

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const dayAndMonth = (time: Date): string => `${twoDigits(time.getDate())} ${month.format(time)}`;

const clock = (time: Date): string => {
  const hours = time.getHours();
  return `${hours % 12 || 12}:${twoDigits(time.getMinutes())} ${hours < 12 ? 'am' : 'pm'}`;
};

/** §9, log time: 'ddd, DD MMM YYYY h:mm a' in the viewer's time zone. */
export const logTime = (moment: string | Date): string => {
  const time = new Date(moment);
  return `${weekday.format(time)}, ${dayAndMonth(time)} ${time.getFullYear()} ${clock(time)}`;
};

const dayOf = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** A moment in a list of recent ones: without the day today, and without the year this year. */
export const recentTime = (moment: string, now = new Date()): string => {
  const time = new Date(moment);
  const days = Math.round((dayOf(now) - dayOf(time)) / 86_400_000);
  if (days === 0) return clock(time);
  if (days === 1) return `Yesterday ${clock(time)}`;
  const year = time.getFullYear() === now.getFullYear() ? '' : ` ${time.getFullYear()}`;
  return `${dayAndMonth(time)}${year}, ${clock(time)}`;
};

/** A shorter form for narrow screens. */
export const shortTime = (moment: string): string => {
  const time = new Date(moment);
  return `${dayAndMonth(time)}, ${clock(time)}`;
};
