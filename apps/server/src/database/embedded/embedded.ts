import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../../config.ts';
import { openDataFolder } from '../../data-folder.ts';
import { type Cluster, describeCluster, ensureRunning, isInitialised, stopCluster } from './cluster.ts';
import { findPostmaster, signalPostmaster } from './postmaster.ts';
import { holdServerLock } from './server-lock.ts';

export type EmbeddedDatabase = { where: pg.ClientConfig; stop: () => Promise<void> };

type Listeners = {
  /** PostgreSQL had ended, and was started again. */
  onRestart?: () => void;
  /** The data is outside the data folder, because PostgreSQL's account cannot enter it. */
  onMoved?: (folder: string) => void;
};

/**
 * Our own PostgreSQL, reached over a Unix socket only. One that outlived a killed server is adopted; a second server on the same data
 * folder is refused; one that dies under its server is started again.
 */
export const startEmbedded = async (
  dataDir: string,
  { onRestart, onMoved }: Listeners = {},
): Promise<EmbeddedDatabase> => {
  await openDataFolder(dataDir);
  const cluster = await describeCluster(dataDir);
  if (cluster.movedTo !== undefined) onMoved?.(cluster.movedTo);
  // PostgreSQL is ours if we start it, and when we hold the lock. Another server's must survive our refusal, also one that takes the
  // lock of the PostgreSQL that we have started.
  let isOurs = !(await findPostmaster(cluster));
  // A process that ends before its clean-up is done, as on a busy machine, does not leave PostgreSQL running.
  const onExit = () => {
    if (isOurs) signalPostmaster(cluster);
  };
  process.once('exit', onExit);
  const end = async () => {
    if (isOurs) await stopCluster(cluster);
    process.removeListener('exit', onExit);
  };
  try {
    isOurs = await ensureRunning(cluster);
    const where = addressOf(cluster);
    await createDatabase(where);
    const mend = async () => {
      if (await ensureRunning(cluster)) onRestart?.();
    };
    const lock = await holdServerLock(where, mend).catch((error: unknown) => {
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

/** The address of the PostgreSQL that a running server started, for a command beside it; nothing when none runs. */
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

/** It has no socket yet, or does not take connections yet. */
const notYetThere = new Set(['ENOENT', 'ECONNREFUSED', '57P03']);

/** An adopted PostgreSQL may still be starting, or recovering from the crash that it was left in. */
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
