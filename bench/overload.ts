import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '../apps/server/src/testing/app/browser.ts';
import { browserAt, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';

/**
 * Measures what users notice during a password guessing attack: 300 wrong passwords at once from 100 addresses, against
 * two workers. Meanwhile one browser signs on with an open session, one signs in with its password on a known device,
 * and one on a new device.
 */
const attackers = 300;
const addresses = 100;
const rounds = 5;
const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };

const folder = await mkdtemp(join(tmpdir(), 'opensocial-overload-'));
await chmod(folder, 0o711);

const start = (): Promise<{ server: ChildProcess; address: string }> =>
  new Promise((resolve, reject) => {
    const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
      cwd: join(import.meta.dirname, '..'),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'],
        WORKERS: '2',
        DATA_DIR: folder,
        PORT: '0',
        PUBLIC_URL: testOrigin,
        TRUST_PROXY: '127.0.0.1',
        FIRST_OWNER_EMAIL: owner.email,
        FIRST_OWNER_PASSWORD: owner.password,
      },
    });
    let said = '';
    server.once('exit', () => reject(new Error(said)));
    server.stdout.on('data', (text: Buffer) => {
      said += text.toString();
      const address = /Server listening at (http:\/\/[^"]+)/.exec(said)?.[1];
      if (said.includes('is ready') && address) resolve({ server, address });
    });
  });

const times: Record<string, number[]> = {};
const statuses: Record<string, Record<number, number>> = {};
const timed = async (what: string, work: () => Promise<Page>): Promise<Page> => {
  const begun = performance.now();
  const page = await work();
  (times[what] ??= []).push(performance.now() - begun);
  const counted = (statuses[what] ??= {});
  counted[page.status] = (counted[page.status] ?? 0) + 1;
  return page;
};

const quantile = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const { server, address } = await start();
try {
  const from = (index: number) => ({ 'x-forwarded-for': `10.0.${index % addresses}.1` });
  const openPage = async (browser: Browser, headers: Record<string, string>) =>
    browser.get('/server/saml/login', headers);
  const attack = await Promise.all(
    Array.from({ length: attackers }, async (_, index) => {
      const browser = browserAt(address);
      return { browser, page: await openPage(browser, from(index)), headers: from(index) };
    }),
  );
  const known = await signIn(browserAt(address), owner);
  const signOn = async () => {
    known.cookies.delete('opensocial_session');
    return known.get('/server/saml/login');
  };
  const enter = async (browser: Browser, headers: Record<string, string>, what: string) => {
    browser.cookies.delete('opensocial_session');
    browser.cookies.delete('opensocial_identity');
    const page = await openPage(browser, headers);
    return timed(what, () => browser.post(page.form?.action ?? '', { ...page.form?.fields, ...owner }, headers));
  };
  const device = await signIn(browserAt(address), owner);
  for (let turn = 0; turn < 20; turn += 1) await timed('sign-on, quiet', signOn);
  for (let turn = 0; turn < 5; turn += 1) await enter(device, { 'x-forwarded-for': '10.1.0.1' }, 'known, quiet');
  for (let round = 0; round < rounds; round += 1) {
    const attacked = { isOver: false };
    const guesses = attack.map(({ browser, page, headers }, index) => {
      const guess = { ...page.form?.fields, email: `person-${index}@northlab.org`, password: `guess ${round}` };
      return timed('guess', () => browser.post(page.form?.action ?? '', guess, headers));
    });
    const over = Promise.all(guesses).finally(() => {
      attacked.isOver = true;
    });
    const whileAttacked = async (work: () => Promise<unknown>) => {
      while (!attacked.isOver) await work();
    };
    await Promise.all([
      over,
      whileAttacked(() => timed('sign-on, attacked', signOn)),
      whileAttacked(() => enter(device, { 'x-forwarded-for': '10.1.0.1' }, 'known device, attacked')),
      whileAttacked(() => enter(browserAt(address), { 'x-forwarded-for': '10.2.0.1' }, 'new device, attacked')),
    ]);
  }
  for (const [what, values] of Object.entries(times)) {
    const [middle, high, most] = [0.5, 0.95, 1].map((part) => quantile(values, part).toFixed(0));
    console.log(
      `${what}: p50 ${middle} ms, p95 ${high} ms, max ${most} ms, ${values.length} × ${JSON.stringify(statuses[what])}`,
    );
  }
} finally {
  server.removeAllListeners('exit').kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  await rm(folder, { recursive: true, force: true });
}
