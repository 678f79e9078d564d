import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config.ts';
import { openDataFolder } from '../../data-folder.ts';
import { type Cluster, describeCluster, ensureRunning, isInitialised, stopCluster } from './cluster.ts';
import { findPostmaster, signalPostmaster } from './postmaster.ts';
import { holdServerLock } from './server-lock.ts';

export type EmbeddedDatabase = { where: pg.ClientConfig; stop: () => Promise<void> };

type Listeners = {
  /** PostgreSQL had stopped and was restarted. */
  onRestart?: () => void;
  /** The data is outside the data folder, because PostgreSQL's account cannot enter the data folder. */
  onMoved?: (folder: string) => void;
};

/**
 * Starts the embedded PostgreSQL, which is reachable only over a Unix socket. A PostgreSQL that outlived a killed
 * server is adopted. A second server on the same data folder is refused. If PostgreSQL dies, it is restarted.
 */
export const startEmbedded = async (
  dataDir: string,
  { onRestart, onMoved }: Listeners = {},
): Promise<EmbeddedDatabase> => {
  await openDataFolder(dataDir);
  const cluster = await describeCluster(dataDir);
  if (cluster.movedTo !== undefined) onMoved?.(cluster.movedTo);
  // PostgreSQL belongs to us if we started it or hold the lock. If another server holds the lock, it must keep running
  // when we fail, even if that server took the lock of the PostgreSQL that we have started.
  let isOurs = !(await findPostmaster(cluster));
  // If our process exits before its clean-up is done, as on a busy machine, PostgreSQL is stopped as well.
  const onExit = () => {
    if (isOurs) signalPostmaster(cluster);
  };
  process.once('exit', onExit);
  const end = async () => {
    if (isOurs) await stopCluster(cluster);
    process.removeListener('exit', onExit);
  };
  try {
    isOurs = await ensureRunning(cluster).catch((error: unknown) => {
      // A PostgreSQL that runs now was started by somebody else.
      isOurs = false;
      throw error;
    });
    const where = addressOf(cluster);
    await createDatabase(where);
    const restart = async () => {
      if (await ensureRunning(cluster)) onRestart?.();
    };
    const lock = await holdServerLock(where, restart).catch((error: unknown) => {
      if (error instanceof ConfigError) isOurs = false;
      throw error;
    });
    isOurs = true;
    return { where, stop: () => lock.release().finally(end) };
  } catch (error) {
    await end();
    throw error;
  }
};

/** The address of the PostgreSQL that a running server started, for commands; undefined if none is running. */
export const findEmbedded = async (dataDir: string): Promise<pg.ClientConfig | undefined> => {
  await openDataFolder(dataDir);
  const cluster = await describeCluster(dataDir);
  return (await isInitialised(cluster)) && (await findPostmaster(cluster)) ? addressOf(cluster) : undefined;
};

const addressOf = ({ socketFolder, user, password }: Cluster): pg.ClientConfig => ({
  host: socketFolder,
  user,
  password,
  database: user,
});

const createDatabase = async (where: pg.ClientConfig): Promise<void> => {
  const client = await reach({ ...where, database: 'postgres', connectionTimeoutMillis: 60_000 });
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [where.database]);
    if (rowCount === 0) await client.query(`create database ${where.database}`);
  } finally {
    await client.end();
  }
};

/** PostgreSQL has no socket yet, or does not accept connections yet. */
const notYetThere = new Set(['ENOENT', 'ECONNREFUSED', '57P03']);

/** An adopted PostgreSQL may still be starting, or recovering from a crash. */
const reach = async (where: pg.ClientConfig): Promise<pg.Client> => {
  for (let tries = 1; ; tries += 1) {
    const client = new pg.Client(where);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (!notYetThere.has((error as { code?: string }).code ?? '') || tries >= 240) throw error;
      await delay(250);
    }
  }
};
