import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config.ts';

/**
 * Advisory lock that a connection holds while the server runs, so that it is released at once if the server is killed.
 */
const serverLock = 7_350_022;

const retryDelay = 500;

export type ServerLock = { release: () => Promise<void> };

/**
 * Prevents a second server from using the same database. If PostgreSQL ends, the lock is lost with its connection;
 * `restart` then restarts PostgreSQL, and the lock is taken again.
 */
export const holdServerLock = async (where: pg.ClientConfig, restart: () => Promise<void>): Promise<ServerLock> => {
  const stopped = new AbortController();
  let reconnecting: Promise<void> | undefined;
  let connection = await acquire(where);

  const reacquire = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      try {
        await restart();
        connection = await acquire(where);
        watch();
        return;
      } catch {
        await delay(retryDelay);
      }
    }
  };
  const watch = () =>
    connection.once('end', () => {
      if (!stopped.signal.aborted) reconnecting = reacquire();
    });
  watch();

  return {
    release: async () => {
      stopped.abort();
      await reconnecting;
      await connection.end().catch(() => undefined);
    },
  };
};

const acquire = async (where: pg.ClientConfig): Promise<pg.Client> => {
  const connection = new pg.Client({ ...where, keepAlive: true, connectionTimeoutMillis: 60_000 });
  // Other queries report a dead database; this connection only holds the lock.
  connection.on('error', () => undefined);
  await connection.connect();
  const { rows } = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [serverLock]);
  if (rows[0]?.taken) return connection;
  await connection.end();
  throw new ConfigError(
    'DATA_DIR: another server is already running on this folder. Stop it, or set DATA_DIR to another folder.',
  );
};
