import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundLimits, connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { createVault } from '../apps/server/src/secrets/encryption.ts';
import { hashPassword } from '../apps/server/src/secrets/passwords.ts';
import { totpCode } from '../apps/server/src/secrets/totp.ts';
import type { Page } from '../apps/server/src/testing/app/browser.ts';
import { networkNamed, password } from '../apps/server/src/testing/app/builders.ts';
import { browserAt } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { startServer, stopServer } from './program.ts';
import { quantile } from './report.ts';

/**
 * Changes the secret key of an installation with 100,000 authenticator apps while people sign in with theirs. The command
 * is killed once on the way. Every sign-in has to succeed, and every secret has to be readable with the new key alone.
 */
const people = 100_000;
const visitors = 3;
const quietSignIns = 60;
const root = join(import.meta.dirname, '..');
const former = 'the former key of this measurement is long enough';
const next = 'the next key of this measurement is long enough';

const folder = await mkdtemp(join(tmpdir(), 'opensocial-rekey-'));
await chmod(folder, 0o711);
const environment = {
  PATH: process.env['PATH'],
  DATA_DIR: folder,
  PORT: '0',
  WORKERS: '1',
  PUBLIC_URL: testOrigin,
  TRUST_PROXY: '127.0.0.1',
};

/** Runs the command. Kills it once it has printed this many lines. Returns the lines and the exit code. */
const rekey = async (killAfter = Number.POSITIVE_INFINITY): Promise<{ lines: string[]; code: number | null }> => {
  const command = spawn(process.execPath, ['apps/server/src/cli/rekey.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment, SECRET_KEYS: `${next},${former}` },
  });
  const ended = once(command, 'close') as Promise<[number | null]>;
  let said = '';
  command.stdout.on('data', (words: Buffer) => {
    said += words.toString();
    if (said.split('\n').length > killAfter) command.kill('SIGKILL');
  });
  const [code] = await ended;
  return { lines: said.trim().split('\n'), code };
};

const secretOf = (place: number): Buffer => Buffer.from(String(place).padStart(20, '0'));
const emailOf = (place: number): string => `person-${place}@northlab.org`;

const connectTo = async () => connect((await findEmbedded(folder)) ?? {}, () => undefined, backgroundLimits);

const fill = async (): Promise<void> => {
  const { pool, db, close } = await connectTo();
  const vault = createVault([former]);
  const { id } = await networkNamed(db, 'opensocial');
  const hash = await hashPassword(password);
  for (let first = 0; first < people; first += 10_000)
    await pool.query(
      `with made as (
         insert into users (uid, email, firstname, lastname, status, password_hash, home_network_id, default_network_id, totp_secret)
         select 'u' || place, 'person-' || place || '@northlab.org', 'Ana', 'Moreno ' || place, 'Confirmed', $1, $2, $2, sealed
         from unnest($3::int[], $4::bytea[]) as made (place, sealed) returning id)
       insert into memberships (network_id, user_id) select $2, id from made`,
      [
        hash,
        id,
        Array.from({ length: 10_000 }, (_, place) => first + place),
        Array.from({ length: 10_000 }, (_, place) => vault.encrypt(secretOf(first + place))),
      ],
    );
  await pool.query('vacuum analyze users');
  await close();
};

const outcomes = { succeeded: 0, failed: 0 };
let served = 0;

/** A sign-in of a person who was not here before, with password and authenticator app. Returns its milliseconds. */
const signIn = async (address: string): Promise<number> => {
  served += 1;
  // All over the table, and each person once.
  const place = (served * 7_919) % people;
  const headers = { 'x-forwarded-for': `10.${served % 200}.${(served >> 3) % 200}.1` };
  const browser = browserAt(address);
  const submit = (page: Page, fields: Record<string, string>) =>
    browser.post(page.form?.action ?? '', { ...page.form?.fields, ...fields }, headers);
  const begun = performance.now();
  const asked = await submit(await browser.get('/server/saml/login', headers), { email: emailOf(place), password });
  const page = await submit(asked, { code: totpCode(secretOf(place), Math.floor(Date.now() / 30_000)) });
  const isIn = page.form?.fields['SAMLResponse'] !== undefined;
  outcomes[isIn ? 'succeeded' : 'failed'] += 1;
  if (!isIn) console.log(`failed: ${emailOf(place)}, ${page.status} ${page.url}`);
  return performance.now() - begun;
};

const signInUntil = async (address: string, isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  const visit = async () => {
    while (!isOver()) times.push(await signIn(address));
  };
  await Promise.all(Array.from({ length: visitors }, visit));
  return times;
};

const first = await startServer({ ...environment, SECRET_KEYS: former });
await fill();
await stopServer(first.server);
const { server, address } = await startServer({ ...environment, SECRET_KEYS: `${next},${former}` });
try {
  await signInUntil(address, () => served >= 20);
  const quiet = await signInUntil(address, () => served >= 20 + quietSignIns);
  let isOver = false;
  const busy = signInUntil(address, () => isOver);
  const begun = performance.now();
  const killed = await rekey(8);
  const done = await rekey();
  const seconds = (performance.now() - begun) / 1_000;
  isOver = true;
  const during = await busy;

  const { pool, close } = await connectTo();
  const { rows } = await pool.query<{ uid: string; totp_secret: Buffer }>(
    'select uid, totp_secret from users where totp_secret is not null',
  );
  await close();
  const vault = createVault([next]);
  const readable = rows.filter(({ uid, totp_secret }) =>
    vault.decrypt(totp_secret).equals(secretOf(Number(uid.slice(1)))),
  );
  console.log(`killed after: ${killed.lines.at(-1)}`);
  console.log(`then: ${done.lines.at(-1)} (exit code ${done.code})`);
  console.log(`secrets readable with the new key alone: ${readable.length} of ${rows.length}`);
  console.log(
    `sign-ins: ${outcomes.succeeded} succeeded, ${outcomes.failed} failed; ${during.length} during the change of ${seconds.toFixed(0)} s`,
  );
  for (const part of [0.5, 0.95])
    console.log(
      `sign-in, p${part * 100}: during ÷ before = ${(quantile(during, part) / quantile(quiet, part)).toFixed(2)}`,
    );
} finally {
  await stopServer(server);
  await rm(folder, { recursive: true, force: true });
}
