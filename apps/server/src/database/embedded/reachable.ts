import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, cp, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
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
  await ownByRoot(sharedFolder, 0o755);
  if (!(await isThere(copy))) await copyPrograms(installed, copy);
  const moved = (file: string) => join(copy, file.slice(installed.length + sep.length));
  return { initdb: moved(programs.initdb), pg_ctl: moved(programs.pg_ctl), postgres: moved(programs.postgres) };
};

/**
 * Makes a folder that only root can change, or refuses one that somebody else has made or could change: PostgreSQL's programs are run
 * from there, and folders inside it are handed over to its account.
 */
const ownByRoot = async (folder: string, mode: number): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await mkdir(folder).then(
    // The umask may have taken away what PostgreSQL's account needs.
    () => chmod(folder, mode),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new ConfigError(`${folder} is not a folder. Move it away, or set DATABASE_URL.`);
  if (found.uid !== 0 || (found.mode & 0o022) !== 0)
    throw new ConfigError(
      `${folder} can be changed by others than root. Look at what is in it, then allow that to root alone: chown root ${folder}; chmod go-w ${folder}`,
    );
};

/** Copied aside and then renamed, so that a start that is killed leaves no half of it, and two starts do not disturb each other. */
const copyPrograms = async (installed: string, copy: string): Promise<void> => {
  const aside = `${copy}.${randomUUID()}`;
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
export const reachHome = async (
  dataDir: string,
  account: Account,
  shared: string = sharedFolder,
): Promise<{ home: string; isMoved: boolean }> => {
  const note = join(dataDir, 'postgres-folder');
  if (!(await isThere(note)) && (await closedFolders(account, dataDir)).length === 0)
    return { home: dataDir, isMoved: false };
  if (await isThere(join(dataDir, 'postgres'))) throw closedToDatabase(dataDir, await closedFolders(account, dataDir));
  await ownByRoot(shared, 0o755);
  const home = await keepSecret(note, () => join(shared, `database-${randomBytes(6).toString('hex')}`));
  // Whoever can write to the data folder must not choose which folder root hands over.
  if (dirname(home) !== shared || !/^database-[0-9a-f]{12}$/.test(basename(home)))
    throw new ConfigError(`DATA_DIR: the file ${note} names ${home}, which is no folder of a database in ${shared}.`);
  await ownByRoot(home, 0o711);
  return { home, isMoved: true };
};

/** A database that is there already is not moved behind its operator's back. */
const closedToDatabase = (dataDir: string, closed: string[]): ConfigError =>
  new ConfigError(
    `DATA_DIR: the database is in ${dataDir}, but PostgreSQL, which runs as the account 'postgres', cannot get there. Allow it to pass with:\n  chmod o+x ${closed.join(' ')}`,
  );
