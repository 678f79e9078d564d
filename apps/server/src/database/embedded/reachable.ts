import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { access, chmod, cp, lstat, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { ConfigError } from '../../config.ts';
import { readOrCreateSecret } from '../../data-folder.ts';

const run = promisify(execFile);

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as this account, which may not have access to all
 * folders.
 */
export type Account = { uid: number; gid: number };

/**
 * The folder for PostgreSQL's programs and data if its account cannot reach their usual place, such as a clone in
 * root's home.
 */
const sharedFolder = '/var/lib/opensocial-sso';

const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Tests access as the account itself, so that modes, groups and access control lists are all considered. */
const canAccess = (account: Account, flag: '-r' | '-x', path: string): Promise<boolean> =>
  run('test', [flag, path], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  );

const foldersAbove = (path: string): string[] =>
  dirname(path) === path ? [path] : [...foldersAbove(dirname(path)), path];

/** The parent folders of a path that an account may not enter, outermost first. */
const inaccessibleFolders = async (account: Account, path: string): Promise<string[]> => {
  const closed: string[] = [];
  for (const folder of foldersAbove(path)) if (!(await canAccess(account, '-x', folder))) closed.push(folder);
  return closed;
};

type Programs = { initdb: string; pg_ctl: string; postgres: string };

/** Returns the programs at a place where the account can run them: where they were installed, or a copy. */
export const resolvePrograms = async (programs: Programs, account: Account): Promise<Programs> => {
  if (await canAccess(account, '-x', programs.postgres)) return programs;
  const installed = dirname(dirname(programs.postgres));
  const { name, version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const copy = join(sharedFolder, `${name.replace('/', '-').replace('@', '')}-${version}`);
  await ensureRootOwned(sharedFolder, 0o755);
  if (!(await pathExists(copy))) await copyPrograms(installed, copy);
  const moved = (file: string) => join(copy, file.slice(installed.length + sep.length));
  return { initdb: moved(programs.initdb), pg_ctl: moved(programs.pg_ctl), postgres: moved(programs.postgres) };
};

/**
 * Creates a folder that only root can change, or refuses an existing one that others own or can change: PostgreSQL's
 * programs run from there, and folders inside it are handed over to its account.
 */
const ensureRootOwned = async (folder: string, mode: number): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true, mode: 0o755 });
  await mkdir(folder).then(
    // The umask may have removed permissions that PostgreSQL's account needs.
    () => chmod(folder, mode),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new ConfigError(`${folder} is not a folder. Move it away, or set DATABASE_URL.`);
  if (found.uid !== 0 || (found.mode & 0o022) !== 0)
    throw new ConfigError(
      `${folder} can be changed by users other than root. Check its contents, then restrict it to root: chown root ${folder}; chmod go-w ${folder}`,
    );
};

/**
 * Copies to a temporary name and then renames, so that a killed start leaves nothing incomplete and two starts do not
 * conflict.
 */
const copyPrograms = async (installed: string, copy: string): Promise<void> => {
  const temporary = `${copy}.${randomUUID()}`;
  try {
    await cp(installed, temporary, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', temporary]);
    await rename(temporary, copy).catch(async (error: unknown) => {
      if (!(await pathExists(copy))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
};

/**
 * Returns the folder for PostgreSQL's data and socket: the data folder, or a folder outside it if the account cannot
 * enter the data folder. Its name is random and stored in the data folder, so that each data folder has its own
 * database.
 */
export const resolveHome = async (
  dataDir: string,
  account: Account,
  shared: string = sharedFolder,
): Promise<{ home: string; isMoved: boolean }> => {
  const note = join(dataDir, 'postgres-folder');
  if (!(await pathExists(note)) && (await inaccessibleFolders(account, dataDir)).length === 0)
    return { home: dataDir, isMoved: false };
  if (await pathExists(join(dataDir, 'postgres')))
    throw inaccessibleDataFolder(dataDir, await inaccessibleFolders(account, dataDir));
  await ensureRootOwned(shared, 0o755);
  const home = await readOrCreateSecret(note, () => join(shared, `database-${randomBytes(6).toString('hex')}`));
  // A user who can write to the data folder must not be able to choose which folder root hands over.
  if (dirname(home) !== shared || !/^database-[0-9a-f]{12}$/.test(basename(home)))
    throw new ConfigError(`DATA_DIR: the file ${note} names ${home}, which is not a database folder in ${shared}.`);
  await ensureRootOwned(home, 0o711);
  return { home, isMoved: true };
};

/** An existing database is not moved without the operator's knowledge. */
const inaccessibleDataFolder = (dataDir: string, closed: string[]): ConfigError =>
  new ConfigError(
    `DATA_DIR: the database is in ${dataDir}, but PostgreSQL, which runs as the account 'postgres', cannot enter it. Allow it with:\n  chmod o+x ${closed.join(' ')}`,
  );
