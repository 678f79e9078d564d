import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../apps/server/src/config.ts';
import { connect } from '../apps/server/src/database/connect.ts';
import { type EmbeddedDatabase, startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { createLog } from '../apps/server/src/log.ts';
import { open } from '../apps/server/src/process/start.ts';

/**
 * The environment of all measurements: an embedded PostgreSQL with a small database and one of full size, so that each
 * query runs against both in the same run.
 */
export type Size = 'small' | 'full';
export const sizes: readonly Size[] = ['small', 'full'];
export const network = 'northlab';
export const secretKey = 'a secret key that only benchmarks use';

const root = join(import.meta.dirname, '..');
export const folder = join(root, 'bench-data');

export type World = EmbeddedDatabase & {
  /** Runs one query on one of the databases, without a timeout. */
  query: <Row extends Record<string, unknown>>(
    database: Size | 'postgres',
    text: string,
    values?: unknown[],
  ) => Promise<Row[]>;
  close: () => Promise<void>;
};

const databaseOf = (size: Size): string => `bench_${size}`;

/** The longest possible timer. */
const noTimeouts = { max: 4, connectionTimeoutMillis: 5_000, query_timeout: 2 ** 31 - 1, statement_timeout: 0 };

export const openWorld = async (): Promise<World> => {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o711);
  const embedded = await startEmbedded(folder);
  const to = (database: string) =>
    connect({ ...embedded.where, database, options: '-c timezone=UTC' }, () => undefined, noTimeouts);
  const connections = { small: to(databaseOf('small')), full: to(databaseOf('full')), postgres: to('postgres') };
  return {
    ...embedded,
    query: async (database, text, values = []) => (await connections[database].pool.query(text, values)).rows,
    close: async () => {
      await Promise.all(Object.values(connections).map((connection) => connection.close()));
      await embedded.stop();
    },
  };
};

export const makeDatabase = async (world: World, size: Size): Promise<void> => {
  await world.query('postgres', `drop database if exists ${databaseOf(size)} with (force)`);
  await world.query('postgres', `create database ${databaseOf(size)}`);
};

const environmentOf = ({ where }: World, size: Size) => ({
  DATABASE_URL: `postgres://${String(where.user)}:${String(where.password)}@localhost/${databaseOf(size)}?host=${encodeURIComponent(where.host ?? '')}`,
  DATA_DIR: join(folder, `server-${size}`),
  SECRET_KEY: secretKey,
  FIRST_OWNER_EMAIL: 'head@northlab.example',
});

/** The product's own parts on one of the databases, with its schema. */
export const openParts = (world: World, size: Size) => {
  const config = readConfig({ ...environmentOf(world, size), LOG_LEVEL: 'silent' });
  return open(config, createLog(config.logLevel));
};

export type Server = {
  address: string;
  millisecondsToStart: number;
  /** CPU seconds that its processes have used, and their memory in megabytes. */
  cpu: () => Promise<number>;
  megabytes: () => Promise<number>;
  stop: () => Promise<void>;
};

export const startServer = async (
  environment: Record<string, string>,
  program = ['apps/server/dist/main.js'],
): Promise<Server> => {
  const begun = performance.now();
  const child = spawn(process.execPath, [...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []), ...program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...environment },
  });
  const address = await readyAt(child);
  const millisecondsToStart = performance.now() - begun;
  const pids = () => familyOf(child.pid ?? 0);
  return {
    address,
    millisecondsToStart,
    cpu: async () => sum(await Promise.all((await pids()).map(cpuSecondsOf))),
    megabytes: async () => sum(await Promise.all((await pids()).map(megabytesOf))),
    stop: async () => {
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    },
  };
};

export const startServerOn = (world: World, size: Size, environment: Record<string, string> = {}): Promise<Server> =>
  startServer({ ...environmentOf(world, size), LOG_LEVEL: 'info', ...environment });

const readyAt = async (child: ChildProcess): Promise<string> => {
  let said = '';
  // Keep the pipe open after this loop: writing to a closed pipe would be an error at every log line.
  for await (const words of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(words);
    if (said.includes('is ready')) break;
  }
  child.stdout?.resume();
  const address = /is ready: (http\S+)/.exec(said)?.[1];
  if (address === undefined) throw new Error(`The server did not start: ${said}`);
  return address;
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A process and the Node processes that it started, without PostgreSQL. */
const familyOf = async (pid: number): Promise<number[]> => {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => ''))
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const named = await Promise.all(
    children.map(async (each) => [each, await readFile(`/proc/${each}/comm`, 'utf8').catch(() => '')] as const),
  );
  const own = named.filter(([, name]) => !name.startsWith('postgres')).map(([each]) => each);
  return [pid, ...(await Promise.all(own.map(familyOf))).flat()];
};

const ticksPerSecond = 100;

const cpuSecondsOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
};

export const megabytesOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The CPU time of a process and its children, including those that have ended. */
export const cpuWithChildren = async (pid: number | string): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
  const ended = (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);
  return ended + sum(await Promise.all(children.map((each) => cpuSecondsOf(each).catch(() => 0))));
};

/** The CPU time of all processes of the PostgreSQL in a folder. */
export const postgresCpu = async (dataFolder = folder): Promise<number> => {
  const [pid = ''] = (await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')).split('\n');
  return cpuWithChildren(pid);
};

export const isSeeded = (world: World): Promise<boolean> =>
  world.query('full', 'select from bench_seeded').then(
    () => true,
    () => false,
  );
