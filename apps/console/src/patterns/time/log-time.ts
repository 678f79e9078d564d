/** The format is created when it is first used, because most screens that load this file show no log time. */
const part = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (time: Date): string => {
    format ??= new Intl.DateTimeFormat('en', options);
    return format.format(time);
  };
};
const weekday = part({ weekday: 'short' });
const month = part({ month: 'short' });

const twoDigits = (value: number): string => String(value).padStart(2, '0');

const dayAndMonth = (time: Date): string => `${twoDigits(time.getDate())} ${month(time)}`;

const clock = (time: Date): string => {
  const hours = time.getHours();
  return `${hours % 12 || 12}:${twoDigits(time.getMinutes())} ${hours < 12 ? 'am' : 'pm'}`;
};

/** §9, log time: 'ddd, DD MMM YYYY h:mm a' in the viewer's time zone, in every locale. Other times have the formats of `format.ts`. */
export const logTime = (moment: string | Date): string => {
  const time = new Date(moment);
  return `${weekday(time)}, ${dayAndMonth(time)} ${time.getFullYear()} ${clock(time)}`;
};

/** The same without the weekday and the year, for narrow screens. */
export const narrowLogTime = (moment: string): string => {
  const time = new Date(moment);
  return `${dayAndMonth(time)}, ${clock(time)}`;
};
