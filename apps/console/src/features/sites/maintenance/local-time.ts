const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** A time in the format of a `datetime-local` field, in the time zone of the viewer. */
export const toField = (moment: string | null): string => {
  if (moment === null) return '';
  const time = new Date(moment);
  const date = `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
};

/** The time of a field. A field that was not changed keeps the stored time, because it has no seconds. */
export const fromField = (text: string, stored: string | null): string | null => {
  if (text === toField(stored)) return stored;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
};
