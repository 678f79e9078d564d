import { eq, or, sql } from 'drizzle-orm';
import { type Database, prepared, type Queryable } from '../database/connect.ts';
import { throttles } from '../database/schema.ts';

/** How long the first lock lasts; each further one twice as long, up to a day. */
const firstLock = sql`interval '15 minutes'`;

/** `limit` failures lock a key. `forgottenEachMinute` of them are forgotten in a minute; else all after half a day. */
export type Allowance = { limit: number; forgottenEachMinute?: number };

const isForgotten = sql`${throttles.updated_at} < now() - interval '12 hours'`;
const isBlocked = sql`${throttles.blocked_until} > now()`;
const limitGiven = sql`${sql.placeholder('limit')}::int`;
// A try beside this one may have ended after this one began.
const minutes = sql`greatest(0, floor(extract(epoch from now() - ${throttles.updated_at}) / 60))`;
const kept = sql`greatest(0, ${throttles.failures} - ${minutes} * ${sql.placeholder('forgottenEachMinute')}::int)::int`;
const failures = sql`case when ${isForgotten} then 1 else ${kept} + 1 end`;
const lock = sql`least(interval '1 day', ${firstLock} * power(2, least((${failures}) / ${limitGiven} - 1, 7)))`;

const take = prepared((db) =>
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
    .prepare('take_try'),
);

/**
 * Takes one try before it is evaluated, so that parallel guesses cannot slip through: the one that reaches the limit
 * locks the key for the next. A success has to give the try back. `blockedFor` is in seconds; 0 lets the try through.
 */
export const takeTry = async (db: Database, key: string, allowance: Allowance): Promise<{ blockedFor: number }> => {
  const { limit, forgottenEachMinute = 0 } = allowance;
  const [taken] = await take(db).execute({ key, limit, forgottenEachMinute });
  return taken ?? { blockedFor: 0 };
};

/** How much a key may use within some minutes, counted from its first use. */
export type Quota = { limit: number; minutes: number; units?: number };

/**
 * Takes from the quotas of some keys at once, and answers whether all of them had enough left. In these rows `failures` is what was
 * used, `updated_at` the beginning of the window. One statement with its rows in one order, so that parallel calls are counted exactly
 * and cannot deadlock.
 */
export const takeQuota = async (
  db: Queryable,
  keys: readonly string[],
  { limit, minutes: window, units = 1 }: Quota,
): Promise<boolean> => {
  if (keys.length === 0) return true;
  const isOver = sql`throttles.updated_at <= now() - make_interval(mins => ${window})`;
  const { rows } = await db.execute<{ used: number }>(sql`
    insert into throttles (key, failures)
    select key, ${units}::int from unnest(${sql.param([...new Set(keys)])}::text[]) as key order by key
    on conflict (key) do update set
      failures = case when ${isOver} then excluded.failures else least(throttles.failures + excluded.failures, 1000000000) end,
      updated_at = case when ${isOver} then now() else throttles.updated_at end
    returning failures as used`);
  return rows.every(({ used }) => used <= limit);
};

/** For a key that many share: a success takes back its own try and no other's. */
export const giveTryBack = (db: Queryable, key: string) =>
  db
    .update(throttles)
    .set({ failures: sql`greatest(${throttles.failures} - 1, 0)`, blocked_until: null })
    .where(eq(throttles.key, key));

const settling = `with settled as (delete from throttles where key = any ($1))
  update throttles set failures = greatest(failures - 1, 0), blocked_until = null where key = $2`;

/** After a sign-in that went well: forgets the tries of the account's own keys, and gives one back to the shared key. */
export const settleTries = ({ $client }: Database, { own, shared }: { own: string[]; shared: string | undefined }) =>
  $client.query({ name: 'settle_tries', text: settling, values: [own, shared ?? null] });

export const giveTriesBack = (db: Queryable, key: string) => db.delete(throttles).where(eq(throttles.key, key));

/** A key with all those that begin with it and a colon. */
export const forgetTries = (db: Queryable, key: string) =>
  db.delete(throttles).where(or(eq(throttles.key, key), sql`starts_with(${throttles.key}, ${`${key}:`})`));
