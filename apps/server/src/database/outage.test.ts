import { type ApiError, getRole, getSession, setNetworkMode } from '@opensocial/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { query, urlOf } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';
import { type Cluster, describeCluster, ensureRunning, stopCluster } from './embedded/cluster.ts';
import { findPostmaster } from './embedded/postmaster.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

/** A PostgreSQL that only this file manages, and a server that uses it by DATABASE_URL. */
let cluster: Cluster;
let server: ServerProcess;
let browser: ReturnType<typeof browserAt>;
let call: ReturnType<typeof callerOf>;

const addressOf = ({ socketFolder, user, password }: Cluster) => ({
  host: socketFolder,
  user,
  password,
  database: 'postgres',
});

beforeAll(async () => {
  const folder = await makeDataFolder();
  cluster = await describeCluster(folder);
  await ensureRunning(cluster);
  server = await ServerProcess.start({
    DATABASE_URL: urlOf(addressOf(cluster)),
    DATA_DIR: folder,
    PUBLIC_URL: testOrigin,
    FIRST_OWNER_EMAIL: owner.email,
    FIRST_OWNER_PASSWORD: owner.password,
  });
  browser = await signIn(browserAt(server.address), owner);
  call = callerOf(browser);
});

const statusOf = async (path: string) => (await browser.fetch(path)).status;
const readRole = () => call(getRole, { params: { server: 'opensocial' } });
const setMode = (mode: 'All' | 'Visited') => call(setNetworkMode, { body: { server: 'opensocial', mode } });

/** The outcomes of more simultaneous calls than there are connections. */
const answersNow = async () => {
  const calls = Array.from({ length: 30 }, (_, index) => (index % 2 ? readRole() : setMode('All')));
  const outcomes = await Promise.allSettled(calls);
  const page = await browser.get('/saml/opensocial/metadata');
  return {
    errors: outcomes.map((outcome) => (outcome.status === 'rejected' ? toDescription(outcome.reason) : 'none')),
    page: [page.status, page.headers['retry-after']],
    isReady: await statusOf('/readyz'),
    isAlive: await statusOf('/healthz'),
  };
};
const toDescription = ({ status, code, retryAfter }: ApiError) => `${status} ${code} ${retryAfter}`;

const toldToComeBack = {
  errors: Array.from({ length: 30 }, () => '503 unavailable 2'),
  page: [503, '2'],
  isReady: 503,
  isAlive: 200,
};

/** Makes more changes than there are connections, and returns the modes found after each. */
const changesNow = async () => {
  await eventually(async () => expect(await statusOf('/readyz')).toBe(200));
  expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });
  const found = new Set<string | undefined>();
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([setMode('All'), setMode('All'), readRole()]);
    await setMode('Visited');
    const { rows } = await query<{ mode: string }>(addressOf(cluster), 'select mode from networks');
    found.add(rows[0]?.mode);
  }
  return [...found];
};

describe('while the database', () => {
  test('is stopped, callers get 503; once it is back, everything works again', async () => {
    await stopCluster(cluster);
    expect(await answersNow()).toEqual(toldToComeBack);
    await ensureRunning(cluster);
    expect(await changesNow()).toEqual(['Visited']);
  });

  test('hangs, callers get 503; once it continues, everything works again', async () => {
    const { rows } = await query<{ pid: number }>(addressOf(cluster), 'select pid from pg_stat_activity');
    const pids = [(await findPostmaster(cluster)) ?? 0, ...rows.map(({ pid }) => pid)];
    const toAll = (signal: NodeJS.Signals) => {
      for (const pid of pids) {
        try {
          process.kill(pid, signal);
        } catch {
          // The connection that asked for the list has ended.
        }
      }
    };
    toAll('SIGSTOP');
    const answers = await answersNow().finally(() => toAll('SIGCONT'));
    expect(answers).toEqual(toldToComeBack);
    expect(await changesNow()).toEqual(['Visited']);
  });

  test('crashes under load, no confirmed change is lost', async () => {
    const countAudits = async () =>
      (await query(addressOf(cluster), "select from audit_records where action = 'update'")).rowCount ?? 0;
    const before = await countAudits();
    let acknowledged = 0;
    const write = async () => {
      for (;;) {
        await setMode('All');
        acknowledged += 1;
      }
    };
    const load = Promise.allSettled(Array.from({ length: 8 }, write));
    await eventually(() => expect(acknowledged).toBeGreaterThan(20), 1);
    process.kill((await findPostmaster(cluster)) ?? 0, 'SIGKILL');
    await load;
    await ensureRunning(cluster);
    expect((await countAudits()) - before).toBeGreaterThanOrEqual(acknowledged);
    expect(await changesNow()).toEqual(['Visited']);
  });
});
