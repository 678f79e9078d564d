import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import type { Parts } from '../../parts.ts';

/** Months that stand ready besides this one: lines find theirs even where nobody swept for weeks. */
const monthsAhead = 2;

/** How long a change of the months may wait for lines being written: whoever signs in meanwhile waits behind it. */
const patience = sql.raw(`'300ms'`);

type Keeper = Pick<Parts, 'db' | 'log'>;

/**
 * Makes the coming months of the login log and drops those that ended before what is kept; 0 days are for ever. Where the
 * log is too busy, or another process is at it, the next sweep does it.
 */
export const keepLoginLog = async (parts: Keeper, days: number): Promise<void> => {
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1)
    await changeMonths(
      parts,
      sql`select add_login_log_month((now() at time zone 'UTC' + make_interval(months => ${ahead}))::date)`,
    );
  if (days === 0) return;
  await changeMonths(parts, sql`select detach_login_log_before((now() at time zone 'UTC')::date - ${days}::int)`);
  await changeMonths(parts, sql`select drop_detached_login_log()`);
  if (!(await forgetNames(parts))) return;
  while (await forgetNames(parts));
  await parts.db.execute(sql`delete from login_log_names where succeeded = 0 and failed = 0`);
};

/** Names whose counters are changed at once: whoever signs in by one of them waits for that long. */
const piece = 500;

const forgetNames = async ({ db }: Keeper): Promise<boolean> => {
  const { rows } = await db.execute<{ forgotten: string }>(sql`select forget_login_log_names(${piece}) as forgotten`);
  return Number(rows[0]?.forgotten) > 0;
};

const changeMonths = async ({ db, log }: Keeper, change: SQL): Promise<void> => {
  try {
    await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ ours: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtext('keep_login_log')) as ours`,
      );
      if (!rows[0]?.ours) return;
      await tx.execute(sql`set local lock_timeout = ${patience}`);
      await tx.execute(change);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    log.warn('The months of the login log stay as they are for now: it is in use.');
  }
};

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? error.code === '55P03' : error instanceof Error && isLockTimeout(error.cause);
