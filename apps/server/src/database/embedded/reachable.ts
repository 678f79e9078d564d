import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../config.ts';
import { keepSecret } from '../../data-folder.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. Started by root, it runs as this account, which may have fewer rights on folders than root. */
export type Account = { uid: number; gid: number };

/** Where PostgreSQL's programs and data go when its account cannot reach the usual place, such as a clone in root's home. */
const sharedFolder = '/var/lib/opensocial-sso';

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Asked of the system as that account: modes, groups and access lists all have a say. */
const canReach = (account: Account, flag: '-r' | '-x', path: string): Promise<boolean> =>
  run('test', [flag, path], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  );

const foldersAbove = (path: string): string[] =>
  dirname(path) === path ? [path] : [...foldersAbove(dirname(path)), path];

/** The folders on the way to a path that an account may not enter, outermost first. */
const closedFolders = async (account: Account, path: string): Promise<string[]> => {
  const closed: string[] = [];
  for (const folder of foldersAbove(path)) if (!(await canReach(account, '-x', folder))) closed.push(folder);
  return closed;
};

type Programs = { initdb: string; pg_ctl: string; postgres: string };

/** The programs at a place where the account can run them: where they were installed, or a copy. */
export const reachPrograms = async (programs: Programs, account: Account): Promise<Programs> => {
  if (await canReach(account, '-x', programs.postgres)) return programs;
  const installed = dirname(dirname(programs.postgres));
  const { name, version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const copy = join(sharedFolder, `${name.replace('/', '-').replace('@', '')}-${version}`);
  if (!(await isThere(copy))) await copyPrograms(installed, copy);
  const moved = (file: string) => join(copy, file.slice(installed.length + sep.length));
  return { initdb: moved(programs.initdb), pg_ctl: moved(programs.pg_ctl), postgres: moved(programs.postgres) };
};

/** Copied aside and then renamed, so that a start that is killed leaves no half of it, and two starts do not disturb each other. */
const copyPrograms = async (installed: string, copy: string): Promise<void> => {
  const aside = `${copy}.${randomUUID()}`;
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  try {
    await cp(installed, aside, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', aside]);
    await rename(aside, copy).catch(async (error: unknown) => {
      if (!(await isThere(copy))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
};

/**
 * The folder that PostgreSQL keeps its data and its socket in: the data folder, or one outside it that the data folder names, where the
 * account cannot enter the data folder. Named at random and only once, so that another data folder means another database.
 */
export const reachHome = async (dataDir: string, account: Account): Promise<{ home: string; isMoved: boolean }> => {
  const note = join(dataDir, 'postgres-folder');
  if (!(await isThere(note)) && (await closedFolders(account, dataDir)).length === 0)
    return { home: dataDir, isMoved: false };
  if (await isThere(join(dataDir, 'postgres'))) throw closedToDatabase(dataDir, await closedFolders(account, dataDir));
  await mkdir(sharedFolder, { recursive: true, mode: 0o755 });
  const home = await keepSecret(note, () => join(sharedFolder, `database-${randomBytes(6).toString('hex')}`));
  await mkdir(home, { recursive: true, mode: 0o711 });
  return { home, isMoved: true };
};

/** A database that is there already is not moved behind its operator's back. */
const closedToDatabase = (dataDir: string, closed: string[]): ConfigError =>
  new ConfigError(
    `DATA_DIR: the database is in ${dataDir}, but PostgreSQL, which runs as the account 'postgres', cannot get there. Allow it to pass with:\n  chmod o+x ${closed.join(' ')}`,
  );
