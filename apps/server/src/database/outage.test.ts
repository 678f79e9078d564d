import { getRole, getSession, setNetworkMode } from '@opensocial/contract';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeDataFolder } from '../testing/data-folder.ts';
import { query, urlOf } from '../testing/database.ts';
import { browserAt, callerOf, signIn } from '../testing/over-http.ts';
import { ServerProcess } from '../testing/server-process.ts';
import { testOrigin } from '../testing/test-parts.ts';
import { type Cluster, describeCluster, ensureRunning, stopCluster } from './cluster.ts';
import { findPostmaster } from './postmaster.ts';

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

/** A PostgreSQL that nobody looks after but this file, and a server that is only its client. */
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

const untilReady = () =>
  vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), { timeout: 30_000, interval: 100 });

/** More callers than there are connections, all told in a few seconds to come back later; the process lives on. */
const expectAway = async () => {
  const calls = Array.from({ length: 30 }, (_, index) => (index % 2 ? readRole() : setMode('All')));
  for (const { status, ...outcome } of await Promise.allSettled(calls)) {
    expect(status).toBe('rejected');
    expect(outcome).toMatchObject({ reason: { status: 503, code: 'unavailable', retryAfter: 2 } });
  }
  expect(await statusOf('/readyz')).toBe(503);
  expect(await statusOf('/healthz')).toBe(200);
  const page = await browser.get('/saml/opensocial/metadata');
  expect(page).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
};

/** More changes than there are connections: none was lost to the outage. */
const expectBack = async () => {
  await untilReady();
  expect(await call(getSession, {})).toMatchObject({ user: { username: owner.email } });
  for (let round = 0; round < 15; round += 1) {
    await Promise.all([setMode('All'), setMode('All'), readRole()]);
    await setMode('Visited');
    const { rows } = await query<{ mode: string }>(addressOf(cluster), 'select mode from networks');
    expect(rows).toEqual([{ mode: 'Visited' }]);
  }
};

describe('while the database', () => {
  test('is stopped, callers are told so; once it is back, all is well again', async () => {
    await stopCluster(cluster);
    await expectAway();
    await ensureRunning(cluster);
    await expectBack();
  });

  test('hangs, callers are told so; once it goes on, all is well again', async () => {
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
    await expectAway().finally(() => toAll('SIGCONT'));
    await expectBack();
  });

  test('crashes under load, no answer that was given is taken back', async () => {
    const acknowledged: number[] = [];
    const write = async () => {
      await setMode('All');
      acknowledged.push(1);
    };
    const audited = async () =>
      Number(
        (
          await query<{ count: string }>(
            addressOf(cluster),
            "select count(*) from audit_records where action = 'update'",
          )
        ).rows[0]?.count,
      );
    const before = await audited();
    const load = Promise.allSettled(Array.from({ length: 200 }, write));
    await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(20), { timeout: 30_000, interval: 1 });
    process.kill((await findPostmaster(cluster)) ?? 0, 'SIGKILL');
    await load;
    await ensureRunning(cluster);
    await untilReady();
    expect((await audited()) - before).toBeGreaterThanOrEqual(acknowledged.length);
    await expectBack();
  });
});
