import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { getRole, getSession, setNetworkMode } from '@opensocial/contract';
import pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { afterFile } from '../testing/machine/cleanup.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { query } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { freePort } from '../testing/machine/free-port.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';
import { type Cluster, describeCluster, ensureRunning } from './embedded/cluster.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

/** A PostgreSQL of this file, reached through a network that can lose everything that is sent. */
let cluster: Cluster;
let network: Server;
let isSilent = false;
let port: number;
let server: ServerProcess;
let browser: ReturnType<typeof browserAt>;
let call: ReturnType<typeof callerOf>;

const where = (): pg.ClientConfig => ({
  host: cluster.socketFolder,
  user: cluster.user,
  password: cluster.password,
  database: 'postgres',
});

const forward = (from: Socket, to: Socket): void => {
  from.on('data', (bytes) => {
    if (!isSilent) to.write(bytes);
  });
  from.on('error', () => undefined);
  from.on('close', () => to.destroy());
};

beforeAll(async () => {
  const folder = await makeDataFolder();
  cluster = await describeCluster(folder);
  await ensureRunning(cluster);
  port = await freePort();
  network = createServer((client) => {
    const database = createConnection(join(cluster.socketFolder, '.s.PGSQL.5432'));
    forward(client, database);
    forward(database, client);
  });
  server = new ServerProcess({
    DATABASE_URL: `postgres://${cluster.user}:${cluster.password}@127.0.0.1:${port}/postgres`,
    DATA_DIR: folder,
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
  });
});

const ready = async () => {
  const answer = await browser.fetch('/readyz');
  return [answer.status, ((await answer.json()) as { database: string }).database];
};
const readRole = () => call(getRole, { params: { server: 'opensocial' } });
const write = () => call(setNetworkMode, { body: { server: 'opensocial', mode: 'All' } });
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
  );

/** The outcomes of reads and writes, more than there are connections. */
const outcomesNow = async () => [
  ...new Set(await Promise.all(Array.from({ length: 30 }, (_, index) => outcomeOf(index % 2 ? readRole() : write())))),
];

const works = async () => {
  await eventually(async () => expect(await ready()).toEqual([200, 'ok']));
  await eventually(async () => expect(await outcomesNow()).toEqual(['done']));
  expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });
};

test('a start waits for a database that is not there yet', async () => {
  await server.says(/The database cannot be reached yet/);
  await new Promise<void>((resolve) => void network.listen(port, '127.0.0.1', resolve));
  afterFile(() => network.close());
  await server.says(/is ready: /);
  browser = await signIn(browserAt(server.address), owner);
  call = callerOf(browser);
  expect(await ready()).toEqual([200, 'ok']);
});

describe('while the database', () => {
  test('is cut off without a closed connection, callers get 503; afterwards everything works again', async () => {
    isSilent = true;
    expect(await outcomesNow()).toEqual(['503 unavailable']);
    expect(await ready()).toEqual([503, 'away']);
    expect((await browser.get('/saml/opensocial/metadata')).status).toBe(503);
    isSilent = false;
    await works();
  });

  test('is read-only, as after a switch to a standby, reading works and writing is answered with 503', async () => {
    const setReadOnly = async (value: 'on' | 'off') => {
      const client = new pg.Client({ ...where(), options: '-c default_transaction_read_only=off' });
      await client.connect();
      await client.query(`alter system set default_transaction_read_only = ${value}`);
      await client.query('select pg_reload_conf()');
      await client.end();
    };
    await setReadOnly('on');
    await eventually(async () => expect(await ready()).toEqual([503, 'read-only']));
    expect(await outcomeOf(write())).toBe('503 unavailable');
    expect(await outcomeOf(readRole())).toBe('done');
    expect((await browserAt(server.address).get('/server/saml/login')).status).toBe(503);
    await setReadOnly('off');
    await works();
  });

  test('refuses connections because there are too many, callers get 503; afterwards everything works again', async () => {
    const others: pg.Client[] = [];
    onTestFinished(() =>
      Promise.all(others.map((client) => client.end().catch(() => undefined))).then(() => undefined),
    );
    const end = () =>
      query(
        where(),
        `select pg_terminate_backend(pid) from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid() and application_name <> 'other'`,
      ).catch(() => undefined);
    /** Takes a connection, as soon as one of the server has ended. */
    const take = async (): Promise<pg.Client | undefined> => {
      await end();
      const client = new pg.Client({ ...where(), application_name: 'other' });
      client.on('error', () => undefined);
      return client.connect().then(
        () => client,
        () => undefined,
      );
    };
    for (let client = await take(); client; client = await take()) others.push(client);
    await eventually(async () => expect((await ready())[0]).toBe(503));
    expect(await outcomesNow()).toEqual(['503 unavailable']);
    await Promise.all(others.splice(0).map((client) => client.end()));
    await works();
  });
});

test('the server never exited', async () => {
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
