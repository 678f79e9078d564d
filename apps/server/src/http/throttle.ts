import { and, eq, inArray, not, or, sql } from 'drizzle-orm';
import { type Database, prepared, type Queryable } from '../database/connect.ts';
import { throttles } from '../database/schema.ts';

/** The duration of the first lock. Each further lock takes twice as long, up to a day. */
const firstLock = sql`interval '15 minutes'`;

/**
 * `limit` failed attempts lock a key. The counter decreases by `decayPerMinute` each minute, and is reset twelve hours after the last
 * attempt.
 */
export type AttemptLimit = { limit: number; decayPerMinute?: number };

/** The clock was set back since. Such a row would otherwise block its key until the clock has caught up. */
const isAhead = sql`${throttles.updated_at} > now() + interval '1 minute'`;
const isReset = sql`(${throttles.updated_at} < now() - interval '12 hours' or ${isAhead})`;
const isBlocked = sql`(${throttles.blocked_until} > now() and not ${isAhead})`;
const limitGiven = sql`${sql.placeholder('limit')}::int`;
// The difference is negative if a concurrent attempt has committed after this statement began.
const minutes = sql`greatest(0, floor(extract(epoch from now() - ${throttles.updated_at}) / 60))`;
const remaining = sql`greatest(0, ${throttles.failures} - ${minutes} * ${sql.placeholder('decayPerMinute')}::int)::int`;
const failures = sql`case when ${isReset} then 1 else ${remaining} + 1 end`;
const lock = sql`least(interval '1 day', ${firstLock} * power(2, least((${failures}) / ${limitGiven} - 1, 7)))`;

const attemptInsert = prepared((db) =>
  db
    .insert(throttles)
    .values({
      key: sql.placeholder('key'),
      failures: 1,
      blocked_until: sql`case when ${limitGiven} = 1 then now() + ${firstLock} end`,
    })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        failures: sql`case when ${isBlocked} then ${throttles.failures} else ${failures} end`,
        refused: sql`case when ${isBlocked} then ${throttles.refused} + 1 else 0 end`,
        blocked_until: sql`case when ${isBlocked} then ${throttles.blocked_until}
          when (${failures}) % ${limitGiven} = 0 then now() + ${lock} end`,
        updated_at: sql`case when ${isBlocked} then ${throttles.updated_at} else now() end`,
      },
    })
    .returning({
      blockedFor: sql<number>`case when ${throttles.refused} > 0
        then ceil(extract(epoch from ${throttles.blocked_until} - now()))::int else 0 end`,
    })
    .prepare('count_attempt'),
);

/**
 * Counts an attempt as failed before it is checked, so that concurrent attempts cannot exceed the limit: the one that reaches the limit
 * locks the key for the next. After a success the caller has to take the attempt back. `blockedFor` is in seconds; with 0 the attempt is allowed.
 */
export const countAttempt = async (
  db: Database,
  key: string,
  attemptLimit: AttemptLimit,
): Promise<{ blockedFor: number }> => {
  const { limit, decayPerMinute = 0 } = attemptLimit;
  const [counted] = await attemptInsert(db).execute({ key, limit, decayPerMinute });
  return counted ?? { blockedFor: 0 };
};

/** The limit of a key within a window of some minutes, which begins with its first use. */
export type Quota = { limit: number; minutes: number; units?: number };

/**
 * Consumes the quotas of several keys, and returns whether all of them had enough left. In these rows `failures` is the used amount and
 * `updated_at` the beginning of the window. It is one statement that updates the rows in the order of their keys, so that concurrent
 * calls are counted exactly and cannot deadlock.
 */
export const consumeQuota = async (
  db: Queryable,
  keys: readonly string[],
  { limit, minutes: window, units = 1 }: Quota,
): Promise<boolean> => {
  if (keys.length === 0) return true;
  const isOver = sql`(throttles.updated_at <= now() - make_interval(mins => ${window}) or ${isAhead})`;
  const { rows } = await db.execute<{ used: number }>(sql`
    insert into throttles (key, failures)
    select key, ${units}::int from unnest(${sql.param([...new Set(keys)])}::text[]) as key order by key
    on conflict (key) do update set
      failures = case when ${isOver} then excluded.failures else least(throttles.failures + excluded.failures, 1000000000) end,
      updated_at = case when ${isOver} then now() else throttles.updated_at end
    returning failures as used`);
  return rows.every(({ used }) => used <= limit);
};

/** Subtracts one attempt from the counter after a success. For a key that several people share. */
export const takeBackAttempt = (db: Queryable, key: string) =>
  db
    .update(throttles)
    .set({ failures: sql`greatest(${throttles.failures} - 1, 0)`, blocked_until: null })
    .where(eq(throttles.key, key));

const successStatement = `with cleared as (delete from throttles where key = any ($1))
  update throttles set failures = greatest(failures - 1, 0), blocked_until = null where key = $2`;

/** After a successful sign-in: deletes the counters of the account's own keys, and subtracts one attempt from the shared key. */
export const clearAttemptsAfterSuccess = (
  { $client }: Database,
  { own, shared }: { own: string[]; shared: string | undefined },
) => $client.query({ name: 'clear_attempts_after_success', text: successStatement, values: [own, shared ?? null] });

export const clearAttempts = (db: Queryable, key: string) => db.delete(throttles).where(eq(throttles.key, key));

/** Deletes the counters of a key and of all keys that begin with it and a colon. */
export const clearAttemptsByPrefix = (db: Queryable, key: string) =>
  db.delete(throttles).where(or(eq(throttles.key, key), sql`starts_with(${throttles.key}, ${`${key}:`})`));

/** When the locks of some keys end. Keys that are not locked are left out. */
export const findLockEnds = async (db: Queryable, keys: readonly string[]): Promise<Map<string, Date>> => {
  const locked = await db
    .select({ key: throttles.key, end: throttles.blocked_until })
    .from(throttles)
    .where(and(inArray(throttles.key, [...keys]), isBlocked));
  return new Map(locked.flatMap(({ key, end }) => (end ? [[key, end]] : [])));
};

/** The failures of some keys, and when their locks end. Keys without failures are left out. */
export const findFailures = async (
  db: Queryable,
  keys: readonly string[],
): Promise<Map<string, { failures: number; lockedUntil: Date | null }>> => {
  const rows = await db
    .select({
      key: throttles.key,
      failures: throttles.failures,
      lockedUntil: sql`case when ${isBlocked} then ${throttles.blocked_until} end`.mapWith(throttles.blocked_until),
    })
    .from(throttles)
    .where(and(inArray(throttles.key, [...keys]), or(isBlocked, not(isReset))));
  return new Map(rows.map(({ key, ...counted }) => [key, counted]));
};
