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

/** To the second, in the viewer's own zone and with its name: what two people in two places can compare. */
export const exactTime = (moment: string): string => {
  const { timeZone } = format.resolvedOptions();
  return `${format.format(new Date(moment))} (${timeZone})`;
};
