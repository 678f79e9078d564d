import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createUser, getSession, type NetworkMode, setNetworkMode } from '@opensocial/contract';
import type { Browser } from '../apps/server/src/testing/app/browser.ts';
import { browserAt, callerOf, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { openSmtpServer } from '../apps/server/src/testing/services/smtp-server.ts';
import { accountOf, Drill, freePort, owner, postgresPrograms, readRows, requirePrograms } from './drill.ts';
import { stopServer } from './program.ts';

/**
 * Sets the clock of the server, of PostgreSQL, or of both forwards and back while they run, as after a wrong time server or a paused virtual
 * machine. After each step people have to be able to sign in, to change something, to make a mistake without being locked out, and to get a
 * mail. Reports what does not work, how many sessions a step has ended, and how many mails arrived twice.
 */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
requirePrograms({ postgresql: join(postgresPrograms, 'postgres'), faketime: library });

/** In seconds from the true time, one after the other. Server and database may differ by some minutes, but not by a day. */
const stepsOf = {
  server: [0, 600, 0, -600, 0],
  database: [0, 600, 0, -600, 0],
  both: [0, 600, 0, 86_400, 0, -600, 0, -86_400, 0],
};

const drill = await Drill.create('clock');
const account = await accountOf('postgres');
const mails = await openSmtpServer();

type Clock = { environment: Record<string, string>; set: (seconds: number) => Promise<void> };

/** A clock that a process reads from a file. Timers and intervals are not affected, as if the clock of the machine were set. */
const createClock = async (name: string): Promise<Clock> => {
  const file = join(drill.folder, `clock-${name}`);
  const set = async (seconds: number) => {
    await writeFile(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
    await chmod(file, 0o644);
  };
  await set(0);
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DISABLE_SHM: '1',
  };
  return { environment, set };
};

const startDatabase = async (name: string, clock: Clock): Promise<string> => {
  const port = await freePort();
  const data = join(drill.folder, name);
  await mkdir(data, { mode: 0o700 });
  await chown(data, account.uid, account.gid);
  const initialised = drill.run(
    join(postgresPrograms, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'],
    account,
  );
  await once(initialised, 'exit');
  drill.run(
    join(postgresPrograms, 'postgres'),
    ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    { ...account, env: clock.environment },
  );
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
};

const invited = {
  firstname: 'Ana',
  lastname: 'Moreno',
  signup_from: testOrigin,
  signup_server: 'opensocial',
  groups: [],
};
const modes: NetworkMode[] = ['AdminManaged', 'All'];

/** What somebody does after a step. Returns what did not work. */
const tryEverything = async (address: string, networkId: number, step: number): Promise<string[]> => {
  const problems: string[] = [];
  const attempt = async (what: string, work: () => Promise<unknown>) => {
    await work().catch((error: unknown) =>
      problems.push(`${what}: ${(error as Error).message.replace(/http:\S+/g, '…').slice(0, 250)}`),
    );
  };
  await attempt('a sign-in', async () => {
    const call = callerOf(await signIn(browserAt(address), owner));
    const session = await call(getSession, {});
    if (session.user === 'no session') throw new Error('signed out at once');
    await call(setNetworkMode, { body: { server: 'opensocial', mode: modes[step % 2] ?? 'All' } });
  });
  await attempt('a sign-in after a wrong password', async () => {
    const browser = browserAt(address);
    await browser.submit(await browser.get('/server/saml/login'), { ...owner, password: 'a wrong password' });
    await signIn(browser, owner);
  });
  await attempt('a mail', async () => {
    const before = mails.received.length;
    const call = callerOf(await signIn(browserAt(address), owner));
    await call(createUser, { body: { ...invited, email: `person-${step}@northlab.org`, sso_server_id: networkId } });
    for (let tries = 0; mails.received.length === before; tries += 1) {
      if (tries === 200) throw new Error('has not arrived within 20 seconds');
      await pause(100);
    }
  });
  await attempt('readiness', async () => {
    const { ok, status } = await fetch(`${address}/readyz`);
    if (!ok) throw new Error(String(status));
  });
  return problems;
};

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await callerOf(browser)(getSession, {})).user !== 'no session';

const exercise = async (whose: keyof typeof stepsOf): Promise<void> => {
  const steps = stepsOf[whose];
  const clocks = { server: await createClock(`${whose}-server`), database: await createClock(`${whose}-database`) };
  const databaseUrl = await startDatabase(`database-${whose}`, clocks.database);
  const port = await freePort();
  const environment = { ...clocks.server.environment, SMTP_URL: mails.url, MAIL_FROM: 'sso@northlab.org' };
  const server = await drill.startServer(databaseUrl, port, { environment });
  const address = `http://127.0.0.1:${port}`;
  mails.received.length = 0;
  const [network] = await readRows(databaseUrl, `select id from networks where name = 'opensocial'`);
  const networkId = Number(network?.['id']);
  const problems: string[] = [];
  let ended = 0;
  for (const [step, seconds] of steps.entries()) {
    const session = await signIn(browserAt(address), owner).catch(() => undefined);
    for (const [name, clock] of Object.entries(clocks))
      if (whose === 'both' || whose === name) await clock.set(seconds);
    if (session && !(await isSignedIn(session))) ended += 1;
    const found = await tryEverything(address, networkId, step);
    problems.push(...found.map((problem) => `at ${seconds} s: ${problem}`));
  }
  const ids = mails.received.map(({ mail }) => mail.messageId);
  const twice = ids.length - new Set(ids).size;
  console.log(
    `Clock of ${whose === 'both' ? 'server and database' : `the ${whose}`} set ${steps.length - 1} times by up to ${Math.max(...steps) / 60} minutes: ` +
      `${problems.length} of ${4 * steps.length} things did not work, ${twice} mails arrived twice, ${ended} sessions ended / 0, 0, stated`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  await stopServer(server);
};

try {
  for (const whose of ['server', 'database', 'both'] as const) await exercise(whose);
} finally {
  await drill.stop();
  await mails.close();
  await drill.remove();
}
