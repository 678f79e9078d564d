import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getSession, type NetworkMode, setNetworkMode } from '@opensocial/contract';
import { startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { findFreePort } from '../apps/server/src/http/listen.ts';
import { browserAt, callerOf, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { startServer, stopServer } from './program.ts';

/**
 * Restarts two servers on one database behind HAProxy, one after the other, while people use them at a hundred requests a second: sessions are
 * read, settings are changed, and people sign in. Counts what fails. With PgBouncer between servers and database, it also shows that time limits
 * arrive, and that transaction pooling is refused.
 *
 * `OLD=folder` names a built clone of an earlier version: the servers begin with it, and the first restart upgrades them. PgBouncer is left out
 * then.
 */
const rolls = Number(process.argv[2] ?? 10);
const rate = 100;
const people = 10;
const earlier = process.env['OLD'];
const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };
const programs = { haproxy: '/usr/sbin/haproxy', pgbouncer: '/usr/sbin/pgbouncer' };

const missing = Object.entries(programs).filter(([, file]) => !existsSync(file));
if (missing.length > 0) throw new Error(`Install first: apt-get install ${missing.map(([name]) => name).join(' ')}`);

const folder = await mkdtemp(join(tmpdir(), 'opensocial-servers-'));
await chmod(folder, 0o711);
const children = new Set<ChildProcess>();

const run = (program: string, args: string[]): ChildProcess => {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  children.add(child);
  return child;
};

const freePort = () => findFreePort({ host: '127.0.0.1' });

const embedded = await startEmbedded(folder);
const { host = '', user = '', password } = embedded.where;

/** PgBouncer in front of the database. It refuses to run as root. */
const startPooler = async (
  mode: 'session' | 'transaction' | 'statement',
): Promise<{ url: string; stop: () => void }> => {
  const port = await freePort();
  const own = join(folder, `pooler-${mode}`);
  await mkdir(own);
  await chmod(own, 0o755);
  await writeFile(join(own, 'users'), `"${user}" "${String(password)}"\n`, { mode: 0o644 });
  await writeFile(
    join(own, 'pgbouncer.ini'),
    `[databases]\n* = host=${host} dbname=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n` +
      `unix_socket_dir =\nauth_type = plain\nauth_file = ${own}/users\npool_mode = ${mode}\n` +
      `default_pool_size = 90\nmax_client_conn = 500\n`,
  );
  const child = run(programs.pgbouncer, ['-u', 'postgres', join(own, 'pgbouncer.ini')]);
  await pause(1_000);
  return {
    url: `postgres://${user}:${String(password)}@127.0.0.1:${port}/postgres`,
    stop: () => void child.kill('SIGINT'),
  };
};

const settings = (databaseUrl: string, port: number) => ({
  PATH: process.env['PATH'],
  WORKERS: '1',
  HOST: '127.0.0.1',
  PORT: String(port),
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(folder, `server-${port}`),
  SECRET_KEY: 'a secret key for the servers of this drill',
  MEDIA_URL: `s3://key:${'s'.repeat(20)}@127.0.0.1:9/bucket?region=x`,
  PUBLIC_URL: testOrigin,
  TRUST_PROXY: '127.0.0.1',
  SHUTDOWN_DELAY: '5',
  LOG_LEVEL: 'warn',
  FIRST_OWNER_EMAIL: owner.email,
  FIRST_OWNER_PASSWORD: owner.password,
});

const failures: string[] = [];
let requests = 0;
let signIns = 0;

const attempt = async (what: string, work: () => Promise<unknown>): Promise<void> => {
  requests += 1;
  try {
    await work();
  } catch (error) {
    failures.push(`${what}: ${(error as Error).message.slice(0, 200)}`);
  }
};

const startProxy = async (ports: readonly number[]): Promise<string> => {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 120s
frontend public
  bind 127.0.0.1:${port}
  http-request set-header X-Forwarded-For %[src]
  default_backend servers
backend servers
  balance leastconn
  option httpchk GET /readyz
  default-server check inter 1s fall 2 rise 2
  retry-on conn-failure empty-response 503
  http-request disable-l7-retry unless METH_GET
  option redispatch
${ports.map((each) => `  server s${each} 127.0.0.1:${each}`).join('\n')}
`,
  );
  run(programs.haproxy, ['-f', file]);
  const address = `http://127.0.0.1:${port}`;
  while (!(await isReady(address))) await pause(100);
  return address;
};

const isReady = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const drill = async (name: string, databaseUrl: string): Promise<void> => {
  failures.length = 0;
  requests = 0;
  signIns = 0;
  const ports = [await freePort(), await freePort()];
  const servers = new Map<number, ChildProcess>();
  const start = async (port: number, from?: string) => {
    const { server } = await startServer(settings(databaseUrl, port), from);
    children.add(server);
    servers.set(port, server);
  };
  for (const port of ports) await start(port, earlier);
  const proxy = await startProxy(ports);
  const browsers = await Promise.all(Array.from({ length: people }, () => signIn(browserAt(proxy), owner)));
  const callers = browsers.map(callerOf);

  const stop = new AbortController();
  let next = 0;
  const modes: NetworkMode[] = ['AdminManaged', 'All'];
  const reads = async () => {
    const pending = new Set<Promise<void>>();
    for (let begun = performance.now(); !stop.signal.aborted; begun += 1_000 / rate) {
      await pause(Math.max(0, begun - performance.now()));
      const call = callers[next++ % people];
      if (!call) continue;
      const mode = modes[next % 2] ?? 'All';
      const work =
        next % 10 === 0
          ? attempt('a change', () => call(setNetworkMode, { body: { server: 'opensocial', mode } }))
          : attempt('a session', async () => {
              const session = await call(getSession, {});
              if (!('user' in session)) throw new Error('signed out');
            });
      pending.add(work);
      void work.finally(() => pending.delete(work));
    }
    await Promise.all(pending);
  };
  const visitors = async () => {
    while (!stop.signal.aborted) {
      await attempt('a sign-in', () => signIn(browserAt(proxy), owner));
      signIns += 1;
      await pause(200);
    }
  };
  const working = Promise.all([reads(), visitors()]);
  for (let roll = 0; roll < rolls; roll += 1) {
    for (const port of ports) {
      const server = servers.get(port);
      if (!server) throw new Error('There is no such server.');
      await stopServer(server);
      children.delete(server);
      await start(port);
      // The proxy needs two successful checks.
      await pause(3_000);
    }
  }
  stop.abort();
  await working;
  console.log(
    `${name}: ${failures.length} of ${requests} requests failed, ${signIns} sign-ins among them, ${rolls} restarts of both servers / 0 failed`,
  );
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`);
  for (const server of servers.values()) {
    await stopServer(server);
    children.delete(server);
  }
};

/** What a server says if its start is refused. */
const refusalOf = async (databaseUrl: string): Promise<string> => {
  const child = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: settings(databaseUrl, await freePort()),
  });
  children.add(child);
  const timer = setTimeout(() => child.kill('SIGTERM'), 60_000);
  const said = (await child.stderr.toArray()).map(String).join('').trim();
  await once(child, 'close');
  clearTimeout(timer);
  children.delete(child);
  return said;
};

try {
  for (const mode of earlier ? [] : (['transaction', 'statement'] as const)) {
    const pooler = await startPooler(mode);
    console.log(`PgBouncer, pool_mode = ${mode}: ${await refusalOf(pooler.url)}`);
    pooler.stop();
  }
  const direct = `postgres://${user}:${String(password)}@localhost/postgres?host=${encodeURIComponent(host)}`;
  await drill(earlier ? 'Upgrade behind HAProxy' : 'Restarts behind HAProxy', direct);
  if (!earlier) {
    const pooler = await startPooler('session');
    await drill('Restarts behind HAProxy, with PgBouncer in session mode', pooler.url);
    pooler.stop();
  }
} finally {
  for (const child of children) child.kill('SIGTERM');
  await embedded.stop();
  await rm(folder, { recursive: true, force: true });
}
