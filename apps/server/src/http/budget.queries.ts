import { sql } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';

/** How much a key may use within some hours, counted from its first use. */
export type Budget = { limit: number; hours: number; units?: number };

/**
 * Takes from the budgets of some keys at once, and answers whether all of them had enough left. Kept in the table of the throttles:
 * `failures` is what was used, `updated_at` the beginning of the window. One statement with its rows in one order, so that parallel
 * calls are counted exactly and cannot deadlock.
 */
export const takeBudget = async (
  db: Queryable,
  keys: readonly string[],
  { limit, hours, units = 1 }: Budget,
): Promise<boolean> => {
  if (keys.length === 0) return true;
  const isOver = sql`throttles.updated_at < now() - make_interval(hours => ${hours})`;
  const { rows } = await db.execute<{ used: number }>(sql`
    insert into throttles (key, failures)
    select key, ${units}::int from unnest(${sql.param([...new Set(keys)])}::text[]) as key order by key
    on conflict (key) do update set
      failures = case when ${isOver} then excluded.failures else least(throttles.failures + excluded.failures, 1000000000) end,
      updated_at = case when ${isOver} then now() else throttles.updated_at end
    returning failures as used`);
  return rows.every(({ used }) => used <= limit);
};
