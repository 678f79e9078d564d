/** Numbers, dates and times as the viewer's browser writes them. The sentences around them are in English. */

/** Some browsers report a language that is not a valid locale, such as 'en-US@posix'. */
const localeOf = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
};

/** Creating a format is slow, and a list formats many values, so it is kept until the language of the browser changes. */
const inLocale = <Format>(create: (locale: string) => Format): (() => Format) => {
  let created: { language: string; format: Format } | undefined;
  return () => {
    const { language } = navigator;
    if (created?.language !== language) created = { language, format: create(localeOf(language)) };
    return created.format;
  };
};

const numbers = (options?: Intl.NumberFormatOptions) => {
  const format = inLocale((locale) => new Intl.NumberFormat(locale, options));
  return (value: number): string => format().format(value);
};

const dates = (options: Intl.DateTimeFormatOptions) => {
  const format = inLocale((locale) => new Intl.DateTimeFormat(locale, options));
  return (moment: string | Date): string => format().format(new Date(moment));
};

/** With separators between thousands. */
export const formatNumber = numbers();

/** With one digit after the separator. */
export const formatDecimal = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 1 });

const formatPercent = numbers({ style: 'percent' });

/** A number with its noun. */
export const countOf = (value: number, one: string, many: string): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** A share in percent. A part that is neither nothing nor everything is never rounded to 0 or 100. */
export const formatShare = (part: number, whole: number): string => {
  if (whole === 0) return '–';
  const percent = Math.round((100 * part) / whole);
  return formatPercent((part > 0 && part < whole ? Math.min(Math.max(percent, 1), 99) : percent) / 100);
};

const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const clock = { hour: 'numeric', minute: '2-digit' } as const;

export const formatDate = dates(date);

/** A day that is given as 'YYYY-MM-DD', or that a counter counts in UTC. */
export const formatDay = dates({ ...date, timeZone: 'UTC' });

/** A date of this year. */
export const shortDate = dates({ day: 'numeric', month: 'short' });

export const longDate = dates({ weekday: 'short', ...date });

export const clockTime = dates(clock);

/** Date and time of a moment this year. */
export const shortTime = dates({ day: 'numeric', month: 'short', ...clock });

export const fullTime = dates({ weekday: 'short', ...date, ...clock });

/** With the time zone, the hour that occurs twice when summer time ends is clear. */
export const hourInZone = dates({ weekday: 'short', day: 'numeric', month: 'short', ...clock, timeZoneName: 'short' });

const timeWithYear = dates({ ...date, ...clock });

const startOfDay = (time: Date): number => new Date(time).setHours(0, 0, 0, 0);

/** A moment in a list of recent ones: without the day today, and without the year this year. */
export const recentTime = (moment: string, now = new Date()): string => {
  const time = new Date(moment);
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return clockTime(time);
  if (days === 1) return `Yesterday ${clockTime(time)}`;
  return time.getFullYear() === now.getFullYear() ? shortTime(time) : timeWithYear(time);
};

const exact = inLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      weekday: 'short',
      ...date,
      ...clock,
      second: '2-digit',
      timeZoneName: 'longOffset',
    }),
);

/** A time with seconds and the name of the viewer's time zone, so that people in different zones can compare it. */
export const exactTime = (moment: string): string =>
  `${exact().format(new Date(moment))} (${exact().resolvedOptions().timeZone})`;

/** The format is created when it is first used, because loading the language data takes as long as rendering half of a screen. */
const inEnglish = (options?: Intl.ListFormatOptions) => {
  let format: Intl.ListFormat | undefined;
  return (words: readonly string[]): string => {
    format ??= new Intl.ListFormat('en', options);
    return format.format(words);
  };
};

/** 'A, B, and C' in an English sentence. */
export const listOf = inEnglish();

/** 'A, B, or C' in an English sentence. */
export const anyOf = inEnglish({ type: 'disjunction' });
