const format = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'longOffset',
});

/** A time with seconds and the name of the viewer's time zone, so that people in different zones can compare it. */
export const exactTime = (moment: string): string => {
  const { timeZone } = format.resolvedOptions();
  return `${format.format(new Date(moment))} (${timeZone})`;
};
