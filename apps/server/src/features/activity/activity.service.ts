import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import type { Parts } from '../../parts.ts';

/** Partitions that are created in advance, so that lines have one even if no sweep ran for weeks. */
const monthsAhead = 2;

/** How long a change of partitions may wait for its lock: sign-ins queue behind it. */
const lockTimeout = sql.raw(`'300ms'`);

type LogParts = Pick<Parts, 'db' | 'log'>;

/**
 * Creates the next partitions of the login log and drops those that are older than the retention; 0 days means forever.
 * If the log is too busy, or another process does the same, the next sweep does it.
 */
export const maintainLoginLog = async (parts: LogParts, days: number): Promise<void> => {
  for (let ahead = 0; ahead <= monthsAhead; ahead += 1)
    await changeMonths(
      parts,
      sql`select add_login_log_month((now() at time zone 'UTC' + make_interval(months => ${ahead}))::date)`,
    );
  if (days === 0) return;
  await changeMonths(parts, sql`select detach_login_log_before((now() at time zone 'UTC')::date - ${days}::int)`);
  await changeMonths(parts, sql`select drop_detached_login_log()`);
  if (!(await deleteForgottenNames(parts))) return;
  while (await deleteForgottenNames(parts));
  await parts.db.execute(sql`delete from login_log_names where succeeded = 0 and failed = 0`);
};

/** Lines per statement, each of which takes some tenths of a second. */
const countedLines = 100_000;

/** How long a sweep counts. The next one continues. */
const countingTime = 60_000;

/** Counts the lines from before they were counted per hour. Another process that does the same is waited for. */
export const countEarlierLines = async ({ db }: Pick<Parts, 'db'>): Promise<void> => {
  const begun = performance.now();
  const countSome = async () => {
    const { rows } = await db.execute<{ more: boolean }>(sql`select count_earlier_login_log(${countedLines}) as more`);
    return rows[0]?.more === true;
  };
  while (performance.now() - begun < countingTime && (await countSome()));
};

/** Names per batch: sign-ins that use one of these names wait for the batch. */
const batchSize = 500;

const deleteForgottenNames = async ({ db }: LogParts): Promise<boolean> => {
  const { rows } = await db.execute<{ forgotten: string }>(
    sql`select forget_login_log_names(${batchSize}) as forgotten`,
  );
  return Number(rows[0]?.forgotten) > 0;
};

const changeMonths = async ({ db, log }: LogParts, change: SQL): Promise<void> => {
  try {
    await db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ ours: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtext('keep_login_log')) as ours`,
      );
      if (!rows[0]?.ours) return;
      await tx.execute(sql`set local lock_timeout = ${lockTimeout}`);
      await tx.execute(change);
    });
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    log.warn('The partitions of the login log could not be changed because it is in use. The next sweep tries again.');
  }
};

const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError ? error.code === '55P03' : error instanceof Error && isLockTimeout(error.cause);
