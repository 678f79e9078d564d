import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getSession, type NetworkMode, setNetworkMode } from '@opensocial/contract';
import { startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { browserAt, callerOf, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { Drill, freePort, owner, requirePrograms } from './drill.ts';
import { stopServer } from './program.ts';

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

requirePrograms({ haproxy: '/usr/sbin/haproxy', pgbouncer: '/usr/sbin/pgbouncer' });

const drill = await Drill.create('servers');
const embedded = await startEmbedded(drill.folder);
const { host = '', user = '', password } = embedded.where;
const database = { host, user, password: String(password) };

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

const roll = async (name: string, databaseUrl: string): Promise<void> => {
  failures.length = 0;
  requests = 0;
  signIns = 0;
  const ports = [await freePort(), await freePort()];
  const servers = new Map<number, ChildProcess>();
  const start = async (port: number, from?: string) => {
    servers.set(port, await drill.startServer(databaseUrl, port, { folder: from }));
  };
  for (const port of ports) await start(port, earlier);
  const proxy = await drill.startBalancer('haproxy', ports);
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
              if (session.user === 'no session') throw new Error('signed out');
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
  for (let done = 0; done < rolls; done += 1) {
    for (const port of ports) {
      const server = servers.get(port);
      if (!server) throw new Error('There is no such server.');
      await stopServer(server);
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
  for (const server of servers.values()) await stopServer(server);
};

/** What a server says if its start is refused. */
const refusalOf = async (databaseUrl: string): Promise<string> => {
  const child = drill.watch(
    spawn(process.execPath, ['apps/server/dist/main.js'], {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'ignore', 'pipe'],
      env: drill.settings(databaseUrl, await freePort()),
    }),
  );
  const timer = setTimeout(() => child.kill('SIGTERM'), 60_000);
  const said = ((await child.stderr?.toArray()) ?? []).map(String).join('').trim();
  await once(child, 'close');
  clearTimeout(timer);
  return said;
};

try {
  for (const mode of earlier ? [] : (['transaction', 'statement'] as const)) {
    const pooler = await drill.startPooler(database, mode);
    console.log(`PgBouncer, pool_mode = ${mode}: ${await refusalOf(pooler.url)}`);
    pooler.stop();
  }
  const direct = `postgres://${user}:${String(password)}@localhost/postgres?host=${encodeURIComponent(host)}`;
  await roll(earlier ? 'Upgrade behind HAProxy' : 'Restarts behind HAProxy', direct);
  if (!earlier) {
    const pooler = await drill.startPooler(database, 'session');
    await roll('Restarts behind HAProxy, with PgBouncer in session mode', pooler.url);
    pooler.stop();
  }
} finally {
  await drill.stop();
  await embedded.stop();
  await drill.remove();
}
