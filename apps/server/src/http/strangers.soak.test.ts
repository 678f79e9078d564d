import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getRole, getSession } from '@opensocial/contract';
import { beforeAll, expect, test } from 'vitest';
import { newDeviceCookie } from '../features/sign-in/credentials/known-devices.ts';
import type { Browser } from '../testing/app/browser.ts';
import { makeSite, makeUser, signInto } from '../testing/app/builders.ts';
import { browserAt, browserOf, callerOf } from '../testing/app/over-http.ts';
import { ServiceProvider } from '../testing/app/service-provider.ts';
import { buildTestApp, type TestApp } from '../testing/app/test-app.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { urlOf } from '../testing/machine/database.ts';
import { reportFigure } from '../testing/machine/figures.ts';
import { freePort } from '../testing/machine/free-port.ts';
import { ServerProcess } from '../testing/machine/server-process.ts';
import { startMailServer } from '../testing/services/mail-server.ts';

const strangers = Number(process.env['STRANGERS'] ?? 10_000);
const atOnce = 100;
const slowConnections = 200;
/** Node looks for slow connections every 30 seconds. */
const slowSeconds = Number(process.env['SLOW_SECONDS'] ?? 90);

/** The budget of sign-ins that all strangers together may begin, in one process: at once, and in a minute. */
const budget = 3_000;

/** Strangers may not leave more rows than this in any other table: two each, and the counters that all of them share. */
const maximumRows = 2 * strangers + 20;

let testApp: TestApp;
let address: string;
let signInUrl: string;
let people: Browser[];
let member: string;

beforeAll(async () => {
  testApp = await buildTestApp();
  const mails = await startMailServer();
  const port = await freePort();
  address = `http://127.0.0.1:${port}`;
  await ServerProcess.start({
    PORT: String(port),
    DATABASE_URL: urlOf(testApp.pool.options),
    DATA_DIR: await makeDataFolder(),
    SECRET_KEY: 'a secret key that only tests use',
    PUBLIC_URL: testOrigin,
    TRUST_PROXY: '127.0.0.1',
    SMTP_URL: mails.url,
    LOG_LEVEL: 'error',
  });
  signInUrl = await (await ServiceProvider.of(testApp, await makeSite(testApp.db))).signInUrl();
  member = (await makeUser(testApp.db)).email;
  people = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const user = await makeUser(testApp.db, { owns: ['northlab'] });
      const browser = await signInto(testApp.db, browserAt(address), user);
      browser.cookies.set(
        'opensocial_device',
        newDeviceCookie(testApp.parts.vault, { uid: user.uid, credentialsAt: user.credentials_at }),
      );
      return browser;
    }),
  );
});

const countRows = async (): Promise<Map<string, number>> => {
  const { rows: tables } = await testApp.pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const { rows } = await testApp.pool.query<{ count: string }>(`select count(*) from ${name}`);
    counts.set(name, Number(rows[0]?.count));
  }
  return counts;
};

const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

/** Each stranger opens the sign-in page, some of them from a site, and does one thing there. Returns the statuses of the answers. */
const visit = async (index: number): Promise<number[]> => {
  const browser = browserOf(address, addressOf(index));
  const page = await browser.get(index % 4 === 3 ? signInUrl : '/server/saml/login');
  if (!page.form || index % 4 === 0) return [page.status];
  if (index % 4 === 2) {
    const asked = await browser.get(`${new URL(page.form.action, testOrigin).pathname}/forgot`);
    const email = index % 8 === 2 ? member : `nobody-${index}@northlab.org`;
    return [page.status, asked.form ? (await browser.submit(asked, { email })).status : asked.status];
  }
  const given = { email: index % 8 === 1 ? member : `nobody-${index}@northlab.org`, password: 'a wrong password' };
  return [page.status, (await browser.submit(page, given)).status];
};

const p95 = (times: number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0;

/** The response times of people with a session while something happens, and how many of their calls failed. */
const measure = async (work: Promise<unknown>): Promise<{ times: number[]; failed: number }> => {
  const end = new AbortController();
  const over = work.finally(() => end.abort());
  const times: number[] = [];
  let failed = 0;
  const use = async (browser: Browser) => {
    const call = callerOf(browser);
    while (!end.signal.aborted) {
      const begun = performance.now();
      await Promise.all([call(getSession, {}), call(getRole, { params: { server: 'northlab' } })]).catch(() => {
        failed += 1;
      });
      times.push(performance.now() - begun);
      await pause(100);
    }
  };
  await Promise.all([over, ...people.map(use)]);
  return { times, failed };
};

const report = (what: string, quiet: { times: number[] }, loaded: { times: number[]; failed: number }): void => {
  const [before, during] = [p95(quiet.times), p95(loaded.times)];
  reportFigure(
    `${what}, people with a session`,
    `p95 ${Math.round(during)} ms, ${(during / before).toFixed(1)} times that of before, ${loaded.failed} of ${loaded.times.length} calls failed`,
    '1.2 times, 0 failed',
  );
};

test('many strangers leave a bounded trace, and people with a session continue to work', async () => {
  const quiet = await measure(pause(10_000));
  const before = await countRows();
  const statuses = new Map<number, number>();
  let next = 0;
  const come = async () => {
    for (let index = next++; index < strangers; index = next++)
      for (const status of await visit(index)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  };
  const begun = performance.now();
  const loaded = await measure(Promise.all(Array.from({ length: atOnce }, come)));
  const minutes = (performance.now() - begun) / 60_000;

  const after = await countRows();
  const grown = [...after]
    .map(([table, rows]) => [table, rows - (before.get(table) ?? 0)] as const)
    .filter(([, rows]) => rows > 0)
    .toSorted(([, one], [, other]) => other - one);
  const signIns = grown.find(([table]) => table === 'public.sign_ins')?.[1] ?? 0;
  const most = grown.filter(([table]) => table !== 'public.sign_ins')[0];
  console.log(`Answers: ${JSON.stringify(Object.fromEntries(statuses))}. Rows: ${JSON.stringify(grown)}`);
  const limit = Math.ceil(budget * (1 + minutes));
  reportFigure(
    'Strangers, sign-ins that they began',
    `${signIns} rows in ${minutes.toFixed(1)} min`,
    `at most ${limit}`,
  );
  reportFigure(
    `Strangers, rows in any other table for ${strangers} strangers`,
    most ? `${most[1]} in ${most[0]}` : '0',
    `at most ${maximumRows}`,
  );
  report('Strangers', quiet, loaded);
  const errors = [...statuses].filter(([status]) => status >= 500 && status !== 503);
  reportFigure('Strangers, answers 5xx except 503', String(errors.length), '0');
  expect(errors).toEqual([]);
  expect(loaded.failed).toBe(0);
  expect(signIns).toBeLessThanOrEqual(limit);
  expect(most?.[1] ?? 0).toBeLessThanOrEqual(maximumRows);
});

/** Sends a request one byte a second. */
const sendSlowly = async (socket: Socket, request: string): Promise<void> => {
  for (const byte of request) {
    if (socket.destroyed) return;
    socket.write(byte);
    await pause(1_000);
  }
};

test('slow connections hurt nobody', async () => {
  const { port, host } = new URL(address);
  const quiet = await measure(pause(10_000));
  const closed = { headers: 0, bodies: 0, readers: 0 };
  const sockets: Socket[] = [];
  const open = (kind: keyof typeof closed): Socket => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed[kind] += 1;
    });
    sockets.push(socket);
    return socket;
  };
  for (let index = 0; index < slowConnections; index += 1) {
    void sendSlowly(open('headers'), `GET /healthz HTTP/1.1\r\nhost: ${host}\r\nx-slow: ${'a'.repeat(1_000)}\r\n\r\n`);
    const body = open('bodies');
    body.write(
      `POST /server/update_session HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
    );
    void sendSlowly(body, '{'.repeat(1_000));
    // Asks for much, and reads nothing of it.
    open('readers').pause().write(`GET /server/saml/login HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(50));
  }
  const loaded = await measure(pause(slowSeconds * 1_000));
  for (const socket of sockets) socket.destroy();
  report('Slow connections', quiet, loaded);
  reportFigure(
    `Slow connections that the server closed within ${slowSeconds} s`,
    `${closed.headers} with slow headers, ${closed.bodies} with slow bodies of ${slowConnections} each`,
    'all',
  );
  expect(closed).toMatchObject({ headers: slowConnections, bodies: slowConnections });
});
