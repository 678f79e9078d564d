import { type Column, type SQL, sql } from 'drizzle-orm';

/** From the start of the first day to the end of the last day in a time zone; the range is 'YYYY-MM-DD,YYYY-MM-DD'. */
export const withinDays = (column: Column, range: string | undefined, zone = 'UTC'): SQL | undefined => {
  if (range === undefined) return undefined;
  const [first, last] = range.split(',');
  return sql`${column} >= ${first}::date::timestamp at time zone ${zone}
    and ${column} < (${last}::date + 1)::timestamp at time zone ${zone}`;
};
