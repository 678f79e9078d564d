import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config.ts';

/** Held by a connection for as long as a server lives, so that it is free again at once when the server is killed. */
const serverLock = 7_350_022;

const millisecondsBetweenTries = 500;

export type ServerLock = { release: () => Promise<void> };

/**
 * Keeps a second server away from a database. The lock goes with its connection when PostgreSQL ends; then `mend` is
 * given the chance to bring PostgreSQL back, and the lock is taken again.
 */
export const holdServerLock = async (where: pg.ClientConfig, mend: () => Promise<void>): Promise<ServerLock> => {
  const over = new AbortController();
  let mending: Promise<void> | undefined;
  let holder = await take(where);

  const takeAgain = async (): Promise<void> => {
    while (!over.signal.aborted) {
      try {
        await mend();
        holder = await take(where);
        watch();
        return;
      } catch {
        await delay(millisecondsBetweenTries);
      }
    }
  };
  const watch = () =>
    holder.once('end', () => {
      if (!over.signal.aborted) mending = takeAgain();
    });
  watch();

  return {
    release: async () => {
      over.abort();
      await mending;
      await holder.end().catch(() => undefined);
    },
  };
};

const take = async (where: pg.ClientConfig): Promise<pg.Client> => {
  const holder = new pg.Client({ ...where, keepAlive: true, connectionTimeoutMillis: 60_000 });
  // Whoever queries notices a dead database; this connection only holds the lock.
  holder.on('error', () => undefined);
  await holder.connect();
  const { rows } = await holder.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [serverLock]);
  if (rows[0]?.taken) return holder;
  await holder.end();
  throw new ConfigError(
    'DATA_DIR: another server is already running on this folder. Stop it, or give this one a folder of its own.',
  );
};
