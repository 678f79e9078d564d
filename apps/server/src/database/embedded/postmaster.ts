import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The data folder of a PostgreSQL and the folder of its socket. */
export type ClusterFolders = { folder: string; socketFolder: string };

const pidFile = ({ folder }: ClusterFolders) => join(folder, 'postmaster.pid');

/** Returns the process id of the PostgreSQL that serves a data folder, if any. */
export const findPostmaster = async (folders: ClusterFolders): Promise<number | undefined> => {
  const pid = await readPid(folders);
  return pid !== undefined && isPostmaster(folders, await commandOf(pid)) ? pid : undefined;
};

const isPostmaster = ({ folder }: ClusterFolders, command: string): boolean => command.includes(` -D ${folder} `);

/**
 * Signals PostgreSQL to stop without waiting for it, for the exit handler, in which nothing asynchronous runs any more.
 * SIGINT disconnects its clients and shuts it down cleanly.
 */
export const signalPostmaster = (folders: ClusterFolders): void => {
  try {
    const pid = toPid(readFileSync(pidFile(folders), 'utf8'));
    if (pid !== undefined && isPostmaster(folders, commandOfSync(pid))) process.kill(pid, 'SIGINT');
  } catch {
    // Without a lock file or its process there is nothing to stop.
  }
};

/**
 * Removes the lock file of a PostgreSQL that is gone, in cases where PostgreSQL itself would not: its pid now belongs
 * to another program, as after a container restart, or to a zombie process that its parent has not reaped.
 */
export const clearStaleLock = async (folders: ClusterFolders): Promise<void> => {
  const pid = await readPid(folders);
  if (pid === undefined || !exists(pid) || (await findPostmaster(folders))) return;
  // The child processes notice that the postmaster is gone and end. No new one may start while one of them still
  // writes.
  for (let tries = 0; tries < 50 && (await hasChildren(folders)); tries += 1) await delay(100);
  if (await hasChildren(folders)) return;
  await rm(pidFile(folders), { force: true });
  await rm(join(folders.socketFolder, '.s.PGSQL.5432.lock'), { force: true });
};

const readPid = async (folders: ClusterFolders): Promise<number | undefined> =>
  toPid(await readFile(pidFile(folders), 'utf8').catch(() => ''));

const toPid = (lockFile: string): number | undefined => {
  const pid = Number.parseInt(lockFile, 10);
  return pid > 0 ? pid : undefined;
};

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** The command line of a process; empty if it does not exist or is a zombie process. */
const commandOf = (pid: number): Promise<string> =>
  platform() === 'linux'
    ? readFile(cmdline(pid), 'utf8').then(
        (words) => words.replaceAll('\0', ' '),
        () => '',
      )
    : run('ps', psArguments(pid)).then(
        ({ stdout }) => stdout,
        () => '',
      );

const commandOfSync = (pid: number): string =>
  platform() === 'linux'
    ? readFileSync(cmdline(pid), 'utf8').replaceAll('\0', ' ')
    : execFileSync('ps', psArguments(pid), { encoding: 'utf8' });

const cmdline = (pid: number): string => `/proc/${pid}/cmdline`;
const psArguments = (pid: number): string[] => ['-p', String(pid), '-o', 'args='];

/**
 * PostgreSQL's processes have the data folder as working directory. Only Linux shows this; other systems reap zombies
 * at once.
 */
const hasChildren = async ({ folder }: ClusterFolders): Promise<boolean> => {
  const real = await realpath(folder);
  const pids = await readdir('/proc').catch(() => []);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return folders.includes(real);
};
