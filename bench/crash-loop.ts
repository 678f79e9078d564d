import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createNetwork, getSession, type NetworkMode, setNetworkMode } from '@opensocial/contract';
import { connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { findPostmaster } from '../apps/server/src/database/embedded/postmaster.ts';
import type { Browser } from '../apps/server/src/testing/app/browser.ts';
import { browserAt, callerOf, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';

/**
 * Kills the server without warning while clients write to it, every other time including PostgreSQL, and counts
 * acknowledged changes that are lost afterwards. Each writer changes the mode of its own network, one change after the
 * other, so that the expected state is known exactly: all acknowledged changes, and at most one in flight.
 */
const rounds = Math.min(Number(process.argv[2] ?? 20), 500);
const writers = 8;
const owner = { email: 'owner@northlab.org', password: 'correct horse battery staple' };
const modes: NetworkMode[] = ['AdminManaged', 'All', 'Visited'];

type Running = { process: ChildProcess; address: string; readyAfter: number };
type Writer = { network: string; expected: number };
type Record = { old_data: { mode: string }; new_data: { mode: string } };

const folder = await mkdtemp(join(tmpdir(), 'opensocial-crash-'));
await chmod(folder, 0o711);

const started: ChildProcess[] = [];

const start = async (): Promise<Running> => {
  const begun = performance.now();
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      WORKERS: '1',
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: '0',
      PUBLIC_URL: testOrigin,
      FIRST_OWNER_EMAIL: owner.email,
      FIRST_OWNER_PASSWORD: owner.password,
    },
  });
  started.push(server);
  const address = await addressOf(server);
  while (!(await isReady(address))) await pause(5);
  return { process: server, address, readyAfter: performance.now() - begun };
};

const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = '';
    const giveUp = () => reject(new Error(`The server did not start:\n${said}`));
    const timer = setTimeout(giveUp, 60_000);
    server.once('exit', giveUp);
    server.stdout?.on('data', (text: Buffer) => {
      said += text.toString();
      if (!said.includes('is ready')) return;
      clearTimeout(timer);
      server.off('exit', giveUp);
      // Keep reading, otherwise the server would block on its log output.
      server.stdout?.removeAllListeners('data').resume();
      resolve(/Server listening at (http:\/\/[^"]+)/.exec(said)?.[1] ?? '');
    });
  });

const isReady = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const kill = async ({ process: server }: Running, withDatabase: boolean): Promise<void> => {
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  if (withDatabase) await killDatabase();
  await ended;
};

const killDatabase = async (): Promise<void> => {
  const pid = await findPostmaster({ folder: join(folder, 'postgres'), socketFolder: join(folder, 'run') });
  if (pid === undefined) return;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const each of [pid, ...children.split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
};

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> => {
  const { pool, close } = connect((await findEmbedded(folder)) ?? {}, () => undefined);
  const { rows } = await pool.query<Row>(text, values).finally(close);
  return rows;
};

/** Writes until the server is gone. Returns the number of acknowledged changes. */
const write = async (browser: Browser, { network, expected }: Writer): Promise<number> => {
  const call = callerOf(browser);
  for (let acknowledged = 0; ; acknowledged += 1) {
    const mode = modes[(expected + acknowledged + 1) % modes.length] ?? 'All';
    try {
      await call(setNetworkMode, { body: { server: network, mode } });
    } catch {
      return acknowledged;
    }
  }
};

/** Counts a writer's stored changes, and checks their order and that the last one is current. */
const count = async (network: string): Promise<number> => {
  const records = await query<Record>(
    `select old_data, new_data from audit_records join networks on networks.id = network_id
     where name = $1 and description = 'update network mode' order by audit_records.id`,
    [network],
  );
  const [{ mode } = { mode: '' }] = await query<{ mode: string }>('select mode from networks where name = $1', [
    network,
  ]);
  const written = ['AdminManaged', ...records.map(({ new_data }) => new_data.mode)];
  const isChain = records.every(({ old_data, new_data }, index) => {
    const next = modes[(index + 1) % modes.length];
    return old_data.mode === written[index] && new_data.mode === next;
  });
  if (!isChain || mode !== written.at(-1)) throw new Error(`The changes of ${network} do not follow from one another.`);
  return records.length;
};

const visitor = (server: Running, cookies: Map<string, string>): Browser => {
  const browser = browserAt(server.address);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

try {
  let server = await start();
  const readyAfter: number[] = [];
  let acknowledged = 0;
  let lost = 0;
  const { cookies } = await signIn(browserAt(server.address), owner);
  const call = callerOf(visitor(server, cookies));
  const all: Writer[] = Array.from({ length: writers }, (_, index) => ({ network: `writer-${index}`, expected: 0 }));
  for (const { network } of all) await call(createNetwork, { body: { name: network, owner: owner.email } });
  for (let round = 0; round < rounds; round += 1) {
    const writing = all.map((writer) => write(visitor(server, cookies), writer));
    await pause(randomInt(300, 1_500));
    await kill(server, round % 2 === 1);
    const counts = await Promise.all(writing);
    server = await start();
    readyAfter.push(server.readyAfter);
    const { user } = await callerOf(visitor(server, cookies))(getSession, {});
    if (user === 'no session') throw new Error('The session is gone.');
    for (const [index, writer] of all.entries()) {
      const there = await count(writer.network);
      const must = writer.expected + (counts[index] ?? 0);
      acknowledged += counts[index] ?? 0;
      lost += Math.max(0, must - there);
      if (there > must + 1) throw new Error(`${writer.network} has ${there - must} changes that nobody asked for.`);
      writer.expected = there;
    }
  }
  const times = readyAfter.map(Math.round).toSorted((left, right) => left - right);
  console.log(
    `crash loop: ${rounds} kills, ${acknowledged} acknowledged writes, ${lost} lost, ready again in ${times[times.length >> 1]}/${times.at(-1)} ms`,
  );
  process.exitCode = lost > 0 ? 1 : 0;
} finally {
  for (const each of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    const ended = once(each, 'exit');
    each.kill('SIGTERM');
    await ended;
  }
  await killDatabase();
  await rm(folder, { recursive: true, force: true });
}
