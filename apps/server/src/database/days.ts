import { type Column, type SQL, sql } from 'drizzle-orm';

/** A span of time: the start is a part of it, the end is not. */
export type Period = { start: Date; end: Date };

const hour = 3_600_000;
const day = 24 * hour;

/** How far the clocks of a time zone are ahead of UTC at a moment, in milliseconds. */
const createOffsetReader = (timeZone: string): ((moment: number) => number) => {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    // 'GMT', 'GMT+05:30', or with seconds in years before standard time.
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = /([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? [];
    const offset = Number(hours) * hour + Number(minutes) * 60_000 + Number(seconds) * 1_000;
    return sign === '-' ? -offset : offset;
  };
};

/**
 * The first moment of a day, given by its midnight as if it were in UTC. Clocks may jump over midnight, and in some zones midnight comes
 * twice when summer time ends; PostgreSQL would choose the second one. Clocks do not change twice within two days, so that the offset of the
 * first moment is the one a day earlier or the one a day later.
 */
const startOf = (midnight: number, offsetAt: (moment: number) => number): Date => {
  const [first = 0, second = 0] = [offsetAt(midnight - day), offsetAt(midnight + day)]
    .map((offset) => midnight - offset)
    .toSorted((one, other) => one - other);
  return new Date(first + offsetAt(first) >= midnight ? first : second);
};

/** From the start of the first day to the end of the last day in a time zone; the range is 'YYYY-MM-DD,YYYY-MM-DD'. */
export const periodOf = (range: string | undefined, zone = 'UTC'): Period | undefined => {
  if (range === undefined) return undefined;
  const [first = 0, last = 0] = range.split(',').map((text) => Date.parse(`${text}T00:00:00Z`));
  const offsetAt = createOffsetReader(zone);
  return { start: startOf(first, offsetAt), end: startOf(last + day, offsetAt) };
};

/** As seconds, because the text of a date after the year 9999 is not understood by PostgreSQL. */
export const toTimestamp = (moment: Date): SQL => sql`to_timestamp(${moment.getTime() / 1_000})`;

/** The bounds are constants for the planner, so that it uses the indexes and reads only the partitions of these months. */
export const withinPeriod = (column: Column, period: Period | undefined): SQL | undefined =>
  period && sql`${column} >= ${toTimestamp(period.start)} and ${column} < ${toTimestamp(period.end)}`;

/** The whole days in UTC of a period, and the parts of days before and after them. Any of the three may be empty. */
export const splitIntoDays = ({ start, end }: Period): { before: Period; days: Period; after: Period } => {
  const firstDay = new Date(Math.min(Math.ceil(start.getTime() / day) * day, end.getTime()));
  const lastDay = new Date(Math.max(Math.floor(end.getTime() / day) * day, firstDay.getTime()));
  return {
    before: { start, end: firstDay },
    days: { start: firstDay, end: lastDay },
    after: { start: lastDay, end },
  };
};
