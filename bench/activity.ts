import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportActivity, listActivity, listAudit } from '@opensocial/contract';
import { type Connection, connect, patient } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded.ts';
import { Browser } from '../apps/server/src/testing/browser.ts';
import { makeUser, networkNamed, signInto } from '../apps/server/src/testing/builders.ts';

/**
 * The login log of a network of 1,000 lines and of one of many, by default ten million over a year, side by side in one
 * database: each question is asked of both in turn, and what counts is the ratio. The same for the audit record, with a
 * fiftieth of it. Then the log as a file.
 */
const sizes = { small: 1_000, large: Number(process.argv[2] ?? 10_000_000) } as const;
type Name = keyof typeof sizes;
const rounds = 9;

const folder = await mkdtemp(join(tmpdir(), 'opensocial-activity-'));
await chmod(folder, 0o711);

const start = async (): Promise<{ server: ChildProcess; address: string }> => {
  const server = spawn(process.execPath, ['apps/server/src/main.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0' },
  });
  let said = '';
  for await (const words of server.stdout ?? []) {
    said += String(words);
    if (said.includes('is ready')) break;
  }
  server.stdout?.resume();
  return { server, address: /Server listening at (http:\/\/[^"]+)/.exec(said)?.[1] ?? '' };
};

/** Lines a statement, so that none takes longer than a query may. */
const piece = 250_000;

const fill = async ({ pool, db }: Connection, name: Name): Promise<void> => {
  await pool.query('insert into networks (name, sso_id) values ($1::text, $1::text)', [name]);
  const { id } = await networkNamed(db, name);
  await pool.query('insert into network_settings (network_id) values ($1)', [id]);
  await pool.query(`select add_login_log_month((now() - n * interval '1 month')::date) from generate_series(0, 12) n`);
  for (let done = 0; done < sizes[name]; done += piece)
    await pool.query(
      `insert into login_log (network_id, user_id, email, site, login_status, reason, ip_address, user_agent, login_time)
       select $1, n % 20000, 'user' || n % 20000 || '@lab.org', 'site-' || n % 50 || '.lab.org',
         case when n % 12 = 0 then 'Failed' else 'Success' end, 'password', ('10.0.' || n % 200 || '.1')::inet, 'Mozilla/5.0',
         now() - interval '360 days' * (1 - n::float / $2)
       from generate_series($3::int, $4::int) n`,
      [id, sizes[name], done + 1, Math.min(done + piece, sizes[name])],
    );
  await pool.query(
    `insert into audit_records (network_id, actor, audit_type, action, description, new_data, created_at)
     select $1, 'owner' || n % 5 || '@lab.org', 'OpenSocial', 'update',
       'update ' || (array['site', 'user', 'group'])[1 + n % 3] || ' number ' || n, json_build_object('name', 'name ' || n),
       now() - interval '360 days' * (1 - n::float / $2) from generate_series(1, $2::int) n`,
    [id, sizes[name] / 50],
  );
};

const median = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

const { server, address } = await start();
const connection = connect((await findEmbedded(folder)) ?? {}, () => undefined, patient);
const { db, pool, close } = connection;
for (const name of ['small', 'large'] as const) await fill(connection, name);
await pool.query('vacuum analyze');
const owner = await makeUser(db, { network: 'large', owns: ['large', 'small'] });
const { cookies } = await signInto(db, new Browser(undefined as never), owner);
const headers = { cookie: `session=${cookies.get('session')}` };

/** Milliseconds, or the status of an answer that is none. */
const timed = async (path: string): Promise<number> => {
  const begun = performance.now();
  const answer = await fetch(`${address}${path}`, { headers });
  await answer.arrayBuffer();
  return answer.ok ? performance.now() - begun : Number.NaN;
};

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const month = `${day(60)},${day(30)}`;
const log = (asked: object) => (network: Name) => listActivity.path.build({ server: network, lastid: 0, ...asked });
const audit = (asked: object) => (network: Name) => listAudit.path.build({ server: network, lastid: 0, ...asked });
const questions: Record<string, (name: Name) => string> = {
  'log: first page': log({}),
  'log: failed': log({ filter: 'Failed' }),
  'log: a month': log({ time: month }),
  'log: a site': log({ site: 'site-7.' }),
  'log: search, many found': log({ keyword: 'user12' }),
  'log: search, few found': log({ keyword: 'user12345' }),
  'log: search, none found': log({ keyword: 'nobody@' }),
  'log: search in a month': log({ keyword: 'user123', time: month }),
  'changes: first page': audit({}),
  'changes: of groups': audit({ object: 'group' }),
  'changes: by a person': audit({ person: 'owner3' }),
  'changes: a month': audit({ time: month }),
  'changes: search': audit({ keyword: 'number 123' }),
};

console.log(
  'question'.padEnd(28),
  '1,000'.padStart(12),
  sizes.large.toLocaleString('en').padStart(12),
  'ratio'.padStart(8),
);
for (const [question, pathOf] of Object.entries(questions)) {
  const taken = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round += 1)
    for (const name of ['small', 'large'] as const) taken[name].push(await timed(pathOf(name)));
  const [small, large] = [median(taken.small), median(taken.large)];
  const cells = [small, large].map((milliseconds) =>
    (Number.isNaN(milliseconds) ? 'too slow' : `${milliseconds.toFixed(1)} ms`).padStart(12),
  );
  console.log(question.padEnd(28), ...cells, (large / small).toFixed(1).padStart(8));
}

const lines = sizes.large / 12;
const seconds = (await timed(exportActivity.path.build({ server: 'large', time: month }))) / 1_000;
console.log(`the file of a month, about ${Math.round(lines).toLocaleString('en')} lines: ${seconds.toFixed(1)} s`);

const written = 2_000;
const { id: networkId } = await networkNamed(db, 'large');
const begun = performance.now();
for (let line = 0; line < written; line += 1)
  await pool.query(
    `insert into login_log (network_id, email, site, login_status, reason, ip_address, user_agent)
     values ($1, $2, 'site-3.lab.org', 'Success', 'password', '10.0.0.1', 'Mozilla/5.0')`,
    [networkId, `user${line}@lab.org`],
  );
console.log(
  `lines written one after the other: ${Math.round(written / ((performance.now() - begun) / 1_000))} a second`,
);

await close();
server.kill('SIGTERM');
await new Promise((resolve) => server.once('exit', resolve));
await rm(folder, { recursive: true, force: true });
