import { type Column, type SQL, sql } from 'drizzle-orm';

/** From the first day's beginning to the last day's end in a time zone; the range is 'YYYY-MM-DD,YYYY-MM-DD'. */
export const withinDays = (column: Column, range: string | undefined, zone = 'UTC'): SQL | undefined => {
  if (range === undefined) return undefined;
  const [first, last] = range.split(',');
  return sql`${column} >= ${first}::date::timestamp at time zone ${zone}
    and ${column} < (${last}::date + 1)::timestamp at time zone ${zone}`;
};
