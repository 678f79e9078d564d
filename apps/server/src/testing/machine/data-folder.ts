import { chmod, mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostmaster } from '../../database/embedded/postmaster.ts';
import { afterFile } from './cleanup.ts';
import { eventually } from './eventually.ts';

/** A data folder for a test. After the tests of the file it is removed, and a PostgreSQL in it is stopped. */
export const makeDataFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-process-'));
  // If we are root, PostgreSQL runs under its own account and must be able to traverse this folder.
  await chmod(folder, 0o711);
  afterFile(() => removeFolder(folder));
  return folder;
};

/** The process id of the PostgreSQL that serves a data folder. */
export const postmasterOf = (dataDir: string): Promise<number | undefined> =>
  findPostmaster({ folder: join(dataDir, 'postgres'), socketFolder: join(dataDir, 'run') });

/** The process ids of PostgreSQL on a data folder, found on Linux by their working directory. */
export const postgresProcessesOf = async (dataDir: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, index) => folders[index] === join(dataDir, 'postgres')).map(Number);
};

/** Waits until no PostgreSQL serves a data folder. */
export const untilStopped = (dataDir: string): Promise<void> =>
  eventually(async () => {
    if (await postmasterOf(dataDir)) throw new Error(`PostgreSQL still runs in ${dataDir}.`);
  });

const removeFolder = async (folder: string): Promise<void> => {
  const postmaster = await postmasterOf(folder);
  if (postmaster) {
    process.kill(postmaster, 'SIGCONT');
    process.kill(postmaster, 'SIGQUIT');
    await untilStopped(folder);
  }
  await rm(folder, { recursive: true, force: true });
};
