import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { getSession } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { describeCluster, ensureRunning, stopCluster } from '../database/embedded/cluster.ts';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

const settings = async () => {
  const where = await makeDatabase();
  const environment = {
    DATABASE_URL: urlOf(where),
    DATA_DIR: await makeDataFolder(),
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
    WORKERS: '2',
    METRICS_PORT: '0',
  };
  return { where, environment };
};

const workersOf = async ({ pid }: ServerProcess): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean).map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const requestsIn = (metrics: string): number =>
  [...metrics.matchAll(/^http_request_duration_seconds_count\{.*route="\/healthz".*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

describe.concurrent('several workers', () => {
  test('serve as one, create everything once and count together', async () => {
    const { where, environment } = await settings();
    const server = await ServerProcess.start(environment);
    expect(await workersOf(server)).toHaveLength(2);
    for (const table of ['networks', 'owners', 'users'])
      expect((await query(where, `select from ${table}`)).rowCount).toBe(1);

    const call = callerOf(await signIn(browserAt(server.address), owner));
    for (let turn = 0; turn < 4; turn += 1)
      expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });

    // Each request uses its own connection, so that they are distributed.
    const apart = { headers: { connection: 'close' } };
    for (let turn = 0; turn < 10; turn += 1) await (await fetch(`${server.address}/healthz`, apart)).text();
    const [, address = ''] = /Metrics at (http:[^"]+)/.exec(server.stdout) ?? [];
    expect(new URL(address).hostname).toBe('127.0.0.1');
    expect(requestsIn(await (await fetch(address, apart)).text())).toBe(10);
    expect((await fetch(new URL('/', address), apart)).status).toBe(404);
    expect((await fetch(`${server.address}/metrics`, apart)).status).toBe(404);

    const workers = await workersOf(server);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(workers.filter(isAlive)).toEqual([]);
    expect(server.stderr).toBe('');
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  test('are replaced if they die, while the others continue to serve', async () => {
    const { environment } = await settings();
    const server = await ServerProcess.start(environment);
    const [first = 0, second = 0] = await workersOf(server);
    process.kill(first, 'SIGKILL');
    // A connection that was assigned to it before its end is known is lost with it.
    await server.says(/A worker has exited/);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    await eventually(async () => {
      const now = await workersOf(server);
      expect(now).toHaveLength(2);
      expect(now).toContain(second);
      expect(now).not.toContain(first);
    });
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('leave no request without an answer when one of them dies', async () => {
    const { environment } = await settings();
    const server = await ServerProcess.start(environment);
    const end = new AbortController();
    const outcomes: string[] = [];
    const request = () =>
      fetch(`${server.address}/healthz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(30_000),
      }).then(
        (answer) => answer.text(),
        (error: Error) => error.name,
      );
    const visit = async () => {
      while (!end.signal.aborted) outcomes.push(await request());
    };
    const visits = Array.from({ length: 16 }, visit);
    await eventually(() => expect(outcomes.length).toBeGreaterThan(200));
    const [first = 0] = await workersOf(server);
    process.kill(first, 'SIGKILL');
    await server.says(/A worker has exited/);
    end.abort();
    await Promise.all(visits);
    expect(outcomes.filter((outcome) => outcome === 'TimeoutError')).toEqual([]);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('recover by themselves after all had ended and the database was unavailable', async () => {
    const folder = await makeDataFolder();
    const cluster = await describeCluster(folder);
    await ensureRunning(cluster);
    const { environment } = await settings();
    const { socketFolder: host, user, password } = cluster;
    const DATABASE_URL = urlOf({ host, user, password, database: 'postgres' });
    const server = await ServerProcess.start({ ...environment, DATABASE_URL });
    await stopCluster(cluster);
    for (const worker of await workersOf(server)) process.kill(worker, 'SIGKILL');
    const failures = () => server.log.filter(({ msg }) => String(msg).startsWith('A worker failed to start')).length;
    await eventually(() => expect(failures()).toBeGreaterThanOrEqual(3));
    expect(server.log.filter(({ err }) => /cannot be reached/.test(JSON.stringify(err))).length).toBeGreaterThan(0);
    await ensureRunning(cluster);
    const ready = async () => expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    await eventually(ready);
    await eventually(async () => expect(await workersOf(server)).toHaveLength(2));
    const call = callerOf(await signIn(browserAt(server.address), owner));
    expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  });

  test('end with their primary process, however it ends', async () => {
    const { environment } = await settings();
    const server = await ServerProcess.start(environment);
    const workers = await workersOf(server);
    await server.kill('SIGKILL');
    await eventually(() => expect(workers.filter(isAlive)).toEqual([]));
  });

  test('report in one sentence why they cannot listen', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const { environment } = await settings();
    const server = await ServerProcess.run({ ...environment, PORT: String(port) });
    expect(server).toMatchObject({ code: 1, stderr: expect.stringContaining(`${port} is in use by another program`) });
    taken.close();
  });
});
