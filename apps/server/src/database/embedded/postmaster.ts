import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A data folder of PostgreSQL, and the folder of its socket. */
export type Place = { folder: string; socketFolder: string };

const pidFile = ({ folder }: Place) => join(folder, 'postmaster.pid');

/** The process that serves a data folder, if one does. */
export const findPostmaster = async (place: Place): Promise<number | undefined> => {
  const pid = await readPid(place);
  return pid !== undefined && isPostmaster(place, await commandOf(pid)) ? pid : undefined;
};

const isPostmaster = ({ folder }: Place, command: string): boolean => command.includes(` -D ${folder} `);

/**
 * Tells the process that serves a data folder to stop, without waiting for it: for the end of our own process, when nothing
 * asynchronous runs any more. SIGINT disconnects its clients and shuts it down in order.
 */
export const signalPostmaster = (place: Place): void => {
  try {
    const pid = toPid(readFileSync(pidFile(place), 'utf8'));
    if (pid !== undefined && isPostmaster(place, commandOfSync(pid))) process.kill(pid, 'SIGINT');
  } catch {
    // Without a lock file, or without its process, there is nothing to stop.
  }
};

/**
 * Takes away the lock file of a PostgreSQL that is gone, where PostgreSQL itself would not dare to: its number belongs to
 * another program by now, as after a container's restart, or to a corpse that nobody has buried.
 */
export const clearStaleLock = async (place: Place): Promise<void> => {
  const pid = await readPid(place);
  if (pid === undefined || !exists(pid) || (await findPostmaster(place))) return;
  // Its children notice that it is gone and end too. Beside one that still writes, nobody may begin.
  for (let tries = 0; tries < 50 && (await hasChildren(place)); tries += 1) await delay(100);
  if (await hasChildren(place)) return;
  await rm(pidFile(place), { force: true });
  await rm(join(place.socketFolder, '.s.PGSQL.5432.lock'), { force: true });
};

const readPid = async (place: Place): Promise<number | undefined> =>
  toPid(await readFile(pidFile(place), 'utf8').catch(() => ''));

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

/** How a process was called; empty where there is none, or one that is dead and not yet buried. */
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

/** PostgreSQL's processes work in their data folder. Only Linux tells; elsewhere the dead are buried at once. */
const hasChildren = async ({ folder }: Place): Promise<boolean> => {
  const real = await realpath(folder);
  const pids = await readdir('/proc').catch(() => []);
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return folders.includes(real);
};
