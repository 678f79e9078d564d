import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createGroup,
  createNetwork,
  createUser,
  getSession,
  type NetworkMode,
  setNetworkMode,
  uploadImage,
} from '@opensocial/contract';
import { expect, test } from 'vitest';
import { findEmbedded } from '../database/embedded/embedded.ts';
import type { Browser } from '../testing/app/browser.ts';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder, postmasterOf } from '../testing/machine/data-folder.ts';
import { query } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { reportFigure } from '../testing/machine/figures.ts';
import { freePort } from '../testing/machine/free-port.ts';
import { ServerProcess } from '../testing/machine/server-process.ts';
import { makePng } from '../testing/payloads/pictures.ts';
import { startMailServer } from '../testing/services/mail-server.ts';

/** Each cycle has 20 kills of processes of the server and 10 of the database, of which 3 are both. */
const cycles = Number(process.env['CRASH_CYCLES'] ?? 10);
const cycle = { worker: 10, server: 7, 'server and database': 3, database: 4, 'one process of the database': 3 };
type Victim = keyof typeof cycle;

/** No cycle begins after this time, so that a slow machine reports fewer crashes instead of none. */
const timeLimit = Number(process.env['CRASH_MINUTES'] ?? 20) * 60_000;

/** A server that is not ready again within this time has not recovered. */
const recoveryLimit = 60_000;

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };
const modes: NetworkMode[] = ['AdminManaged', 'All', 'Visited'];
const networks = ['writer-0', 'writer-1', 'writer-2', 'writer-3'];

let folder: string;
let address: string;
let environment: Record<string, string>;
let server: ServerProcess;
const end = new AbortController();

/** What was acknowledged. */
const done = {
  modes: new Map(networks.map((network) => [network, 0])),
  groups: [] as string[],
  invitations: [] as string[],
  images: [] as string[],
  sessions: [] as Browser[],
};

const read = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await query<Row>((await findEmbedded(folder)) ?? {}, text, values)).rows;

const newBrowser = (cookies: ReadonlyMap<string, string> = new Map()): Browser => {
  const browser = browserAt(address);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

/** Repeats a write until the end, also while the server is away. */
const repeat = async (write: (turn: number) => Promise<void>): Promise<void> => {
  for (let turn = 0; !end.signal.aborted; turn += 1)
    await write(turn).then(
      () => pause(10),
      () => pause(50),
    );
};

const write = async (cookies: ReadonlyMap<string, string>): Promise<void> => {
  const call = callerOf(newBrowser(cookies));
  const [main] = await read<{ id: string }>(`select id from networks where name = 'opensocial'`);
  const id = Number(main?.id);
  const file = new File([new Uint8Array(await makePng())], 'logo.png', { type: 'image/png' });
  const setModes = (network: string) =>
    repeat(async (turn) => {
      await call(setNetworkMode, { body: { server: network, mode: modes[turn % modes.length] ?? 'All' } });
      done.modes.set(network, (done.modes.get(network) ?? 0) + 1);
    });
  await Promise.all([
    ...networks.map(setModes),
    repeat(async (turn) => {
      await call(createGroup, { body: { name: `group-${turn}`, description: 'Made under load', sso_server: id } });
      done.groups.push(`group-${turn}`);
    }),
    repeat(async (turn) => {
      const email = `person-${turn}@northlab.org`;
      await call(createUser, {
        body: {
          email,
          firstname: 'Ana',
          lastname: 'Moreno',
          sso_server_id: id,
          signup_from: testOrigin,
          signup_server: 'opensocial',
          groups: [],
        },
      });
      done.invitations.push(email);
    }),
    repeat(async () => {
      const { message } = await call(uploadImage, { body: { sso_server: 'opensocial' }, file });
      done.images.push(message);
    }),
    repeat(async () => {
      const browser = await signIn(newBrowser(), owner);
      if (browser.cookies.has('opensocial_session')) done.sessions.push(browser);
      await pause(100);
    }),
  ]);
};

const childrenOf = async (pid: number): Promise<number[]> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);

const killNow = (pids: number[]): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has already ended.
    }
  }
};

const killDatabase = async (): Promise<void> => {
  const postmaster = await postmasterOf(folder);
  if (postmaster !== undefined) killNow([postmaster, ...(await childrenOf(postmaster))]);
};

const workersOf = async ({ pid }: ServerProcess): Promise<number[]> => {
  const named = await Promise.all(
    (await childrenOf(pid)).map(async (child) => [child, await readFile(`/proc/${child}/cmdline`, 'utf8')] as const),
  );
  return named.filter(([, command]) => command.includes('main.js')).map(([child]) => child);
};

const pickFrom = <T>(all: readonly T[]): T[] => all.slice(Math.floor(Math.random() * all.length)).slice(0, 1);

const kill: Record<Victim, () => Promise<void>> = {
  worker: async () => killNow(pickFrom(await workersOf(server))),
  server: async () => void (await server.kill('SIGKILL')),
  'server and database': async () => {
    const ended = server.kill('SIGKILL');
    await killDatabase();
    await ended;
  },
  database: killDatabase,
  'one process of the database': async () => {
    const clients = await read<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    killNow(pickFrom(clients.map(({ pid }) => pid)));
  },
};

const isReady = (): Promise<boolean> =>
  fetch(`${address}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Waits until the server is ready, and returns the milliseconds. Several answers in a row are needed: a single one may come from a worker that
 * survived, or from before the kill.
 */
const recover = async (victim: Victim): Promise<number> => {
  const begun = performance.now();
  if (victim.startsWith('server')) server = await ServerProcess.start(environment);
  let readyAt = 0;
  for (let inRow = 0; inRow < 6; ) {
    if (performance.now() - begun > recoveryLimit) return Number.POSITIVE_INFINITY;
    const ready = await isReady();
    if (ready && inRow === 0) readyAt = performance.now() - begun;
    inRow = ready ? inRow + 1 : 0;
    await pause(25);
  }
  await eventually(async () => expect(await workersOf(server)).toHaveLength(2));
  return readyAt;
};

const victimsOfCycle = (): Victim[] =>
  (Object.keys(cycle) as Victim[])
    .flatMap((victim) => Array.from({ length: cycle[victim] }, () => victim))
    .map((victim) => ({ victim, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ victim }) => victim);

/** Acknowledged changes of modes that are not there, and changes that do not follow from the one before. */
const countLostModes = async (): Promise<number> => {
  let lost = 0;
  for (const [network, acknowledged] of done.modes) {
    const changes = await read<{ old_data: { mode: string }; new_data: { mode: string } }>(
      `select old_data, new_data from audit_records join networks on networks.id = network_id
       where name = $1 and description = 'update network mode' order by audit_records.id`,
      [network],
    );
    const [stored] = await read<{ mode: string }>('select mode from networks where name = $1', [network]);
    const breaks = changes.filter(({ old_data }, at) => at > 0 && old_data.mode !== changes[at - 1]?.new_data.mode);
    lost += Math.max(0, acknowledged - changes.length) + breaks.length;
    if (changes.at(-1)?.new_data.mode !== stored?.mode) lost += 1;
  }
  return lost;
};

const countMissing = async (acknowledged: string[], text: string): Promise<number> => {
  const stored = new Set((await read<{ value: string }>(text)).map(({ value }) => value));
  return acknowledged.filter((value) => !stored.has(value)).length;
};

/** Rows without what the same transaction should have written, and images without their file. */
const countHalves = async (): Promise<number> => {
  const [halves] = await read<{ count: string }>(`select
    (select count(*) from groups where name like 'group-%' and not exists (select from audit_records
      where description = 'create group ' || groups.name))
    + (select count(*) from audit_records where description like 'create group %'
      and not exists (select from groups where audit_records.description = 'create group ' || name))
    + (select count(*) from users where not exists (select from memberships where user_id = users.id))
    + (select count(*) from images where not exists (select from audit_records
      where description = 'create image' and new_data->>'name' = images.name)) as count`);
  const files = new Set(await readdir(join(folder, 'media')));
  const images = await read<{ name: string }>('select name from images');
  return Number(halves?.count) + images.filter(({ name }) => !files.has(name)).length;
};

const countLostSessions = async (): Promise<number> => {
  let lost = 0;
  for (const browser of done.sessions.splice(0)) {
    const { user } = await callerOf(browser)(getSession, {});
    if (user === 'no session') lost += 1;
  }
  return lost;
};

const toSeconds = (times: number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  return [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0].map((time) => (time / 1_000).toFixed(1)).join('/');
};

test('no acknowledged write is lost when processes of the server and of the database are killed', async () => {
  const mails = await startMailServer();
  folder = await makeDataFolder();
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  environment = {
    DATA_DIR: folder,
    PORT: String(port),
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
    SMTP_URL: mails.url,
    LOG_LEVEL: 'silent',
    WORKERS: '2',
  };
  server = await ServerProcess.start(environment);
  const { cookies } = await signIn(newBrowser(), owner);
  for (const name of networks)
    await callerOf(newBrowser(cookies))(createNetwork, { body: { name, owner: owner.email } });

  const times: Record<string, number[]> = {};
  const counted = { sessions: 0, lostSessions: 0, unrecovered: 0 };
  const writing = write(cookies);
  const begun = performance.now();
  for (let turn = 0; turn < cycles && performance.now() - begun < timeLimit; turn += 1) {
    for (const victim of victimsOfCycle()) {
      await pause(200 + Math.random() * 600);
      await kill[victim]();
      const time = await recover(victim);
      if (Number.isFinite(time)) (times[victim] ??= []).push(time);
      else counted.unrecovered += 1;
    }
    counted.sessions += done.sessions.length;
    counted.lostSessions += await countLostSessions();
  }
  end.abort();
  await writing;

  const waiting = async () =>
    Number(
      (await read<{ count: string }>('select count(*) from graphile_worker.jobs where run_at <= now()'))[0]?.count,
    );
  await read('update graphile_worker._private_jobs set run_at = now() where attempts < max_attempts');
  await eventually(async () => expect(await waiting()).toBe(0));

  const arrived = Map.groupBy(
    mails.received.filter(({ to }) => to[0]?.startsWith('person-')),
    ({ to }) => to[0] ?? '',
  );
  const twice = [...arrived.values()].filter(({ length }) => length > 1);
  const unrecognisable = twice.filter((copies) => new Set(copies.map(({ mail }) => mail.messageId)).size > 1);
  const lost = {
    modes: await countLostModes(),
    groups: await countMissing(done.groups, 'select name as value from groups'),
    invitations: await countMissing(done.invitations, 'select email as value from users'),
    images: await countMissing(done.images, 'select name as value from images'),
    sessions: counted.lostSessions,
    mails: done.invitations.filter((email) => !arrived.has(email)).length,
  };
  const halves = await countHalves();

  const kills = Object.entries(times).map(([victim, { length }]) => `${length} × ${victim}`);
  const acknowledged =
    [...done.modes.values()].reduce((sum, count) => sum + count, 0) +
    done.groups.length +
    done.invitations.length +
    done.images.length +
    counted.sessions;
  console.log(`Killed: ${kills.join(', ')}. Lost: ${JSON.stringify(lost)}.`);
  const lostInAll = Object.values(lost).reduce((sum, count) => sum + count, 0);
  const rounds = Object.values(times).reduce((sum, { length }) => sum + length, 0) + counted.unrecovered;
  reportFigure('Crashes, acknowledged writes', `${lostInAll} of ${acknowledged} lost in ${rounds} crashes`, '0 lost');
  reportFigure('Crashes, operations that were half applied', String(halves), '0');
  reportFigure(
    'Crashes, emails that were sent twice',
    `${twice.length} of ${arrived.size}, ${unrecognisable.length} with another Message-ID`,
    '0',
  );
  reportFigure('Crashes without recovery', `${counted.unrecovered} of ${rounds}`, '0');
  for (const [victim, all] of Object.entries(times))
    reportFigure(`Crashes, ready again after the end of ${victim}`, `${toSeconds(all)} s (median/longest)`, 'reported');
  expect(lost).toEqual({ modes: 0, groups: 0, invitations: 0, images: 0, sessions: 0, mails: 0 });
  expect(halves).toBe(0);
  expect(unrecognisable.map(([first]) => first?.to)).toEqual([]);
  expect(counted.unrecovered).toBe(0);
});
