import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseAway, isRefused } from './connect.ts';

/** The time between two attempts. */
const interval = 500;

/**
 * Waits for a database that is started at the same moment as the server, or is restarted just then. A wrong password or a missing database
 * is reported at once.
 */
export const waitForDatabase = async (
  pool: pg.Pool,
  { seconds, onWait }: { seconds: number; onWait: (error: unknown) => void },
): Promise<void> => {
  const end = performance.now() + seconds * 1_000;
  for (let attempts = 1; ; attempts += 1) {
    try {
      await pool.query('select 1');
      return;
    } catch (error) {
      if (!isDatabaseAway(error) || isRefused(error) || performance.now() >= end) throw error;
      if (attempts === 1) onWait(error);
      await delay(interval);
    }
  }
};
