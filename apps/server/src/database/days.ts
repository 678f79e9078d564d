import { type Column, type SQL, sql } from 'drizzle-orm';

/** From the first day's beginning to the last day's end, in UTC; the range is 'YYYY-MM-DD,YYYY-MM-DD'. */
export const withinDays = (column: Column, range: string | undefined): SQL | undefined => {
  if (range === undefined) return undefined;
  const [first, last] = range.split(',');
  return sql`${column} >= ${first}::date at time zone 'UTC' and ${column} < (${last}::date + 1) at time zone 'UTC'`;
};
