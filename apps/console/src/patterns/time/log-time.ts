const part = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options);
const weekday = part({ weekday: 'short' });
const month = part({ month: 'short' });

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** SPEC 9, log time: 'ddd, DD MMM YYYY h:mm a', in the viewer's own zone. */
export const logTime = (moment: string | Date): string => {
  const time = new Date(moment);
  const hours = time.getHours();
  const day = `${weekday.format(time)}, ${twoDigits(time.getDate())} ${month.format(time)} ${time.getFullYear()}`;
  return `${day} ${hours % 12 || 12}:${twoDigits(time.getMinutes())} ${hours < 12 ? 'am' : 'pm'}`;
};
