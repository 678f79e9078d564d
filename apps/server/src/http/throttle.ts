import { eq, or, sql } from 'drizzle-orm';
import type { Queryable } from '../database/connect.ts';
import { throttles } from '../database/schema.ts';

/** How long the first lock lasts; each further one twice as long, up to a day. */
const firstLock = sql`interval '15 minutes'`;

/** `limit` failures lock a key. `forgottenEachMinute` of them are forgotten in a minute; else all after half a day. */
export type Allowance = { limit: number; forgottenEachMinute?: number };

/**
 * Takes one try before it is evaluated, so that parallel guesses cannot slip through: the one that reaches the limit
 * locks the key for the next. A success has to give the try back. `blockedFor` is in seconds; 0 lets the try through.
 */
export const takeTry = async (db: Queryable, key: string, allowance: Allowance): Promise<{ blockedFor: number }> => {
  const { limit, forgottenEachMinute = 0 } = allowance;
  const isForgotten = sql`${throttles.updated_at} < now() - interval '12 hours'`;
  const isBlocked = sql`${throttles.blocked_until} > now()`;
  // A try beside this one may have ended after this one began.
  const minutes = sql`greatest(0, floor(extract(epoch from now() - ${throttles.updated_at}) / 60))`;
  const kept = sql`greatest(0, ${throttles.failures} - ${minutes} * ${forgottenEachMinute}::int)::int`;
  const failures = sql`case when ${isForgotten} then 1 else ${kept} + 1 end`;
  const lock = sql`least(interval '1 day', ${firstLock} * power(2, least((${failures}) / ${limit}::int - 1, 7)))`;
  const { rows } = await db.execute<{ blocked_for: number }>(sql`
    insert into ${throttles} (key, failures, blocked_until)
    values (${key}, 1, case when ${limit}::int = 1 then now() + ${firstLock} end)
    on conflict (key) do update set
      failures = case when ${isBlocked} then ${throttles.failures} else ${failures} end,
      refused = case when ${isBlocked} then ${throttles.refused} + 1 else 0 end,
      blocked_until = case
        when ${isBlocked} then ${throttles.blocked_until}
        when (${failures}) % ${limit}::int = 0 then now() + ${lock}
      end,
      updated_at = case when ${isBlocked} then ${throttles.updated_at} else now() end
    returning case when refused > 0 then ceil(extract(epoch from blocked_until - now()))::int else 0 end as blocked_for`);
  return { blockedFor: rows[0]?.blocked_for ?? 0 };
};

/** For a key that many share: a success takes back its own try and no other's. */
export const giveTryBack = (db: Queryable, key: string) =>
  db
    .update(throttles)
    .set({ failures: sql`greatest(${throttles.failures} - 1, 0)`, blocked_until: null })
    .where(eq(throttles.key, key));

export const giveTriesBack = (db: Queryable, key: string) => db.delete(throttles).where(eq(throttles.key, key));

/** A key with all those that begin with it and a colon. */
export const forgetTries = (db: Queryable, key: string) =>
  db.delete(throttles).where(or(eq(throttles.key, key), sql`starts_with(${throttles.key}, ${`${key}:`})`));
