import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportUsers } from '@opensocial/contract';
import { backgroundLimits, type Connection, connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { Browser } from '../apps/server/src/testing/app/browser.ts';
import { makeUser, networkNamed, signInto } from '../apps/server/src/testing/app/builders.ts';

/** In a network of 200,000 users: a bulk change of 1,000, an import of 10,000 and an export of all. */
const sizes = { large: 200_000 } as const;

const folder = await mkdtemp(join(tmpdir(), 'opensocial-users-'));
await chmod(folder, 0o711);

const start = async (): Promise<{ server: ChildProcess; address: string }> => {
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', WORKERS: '1' },
  });
  let said = '';
  for await (const words of server.stdout ?? []) {
    said += String(words);
    if (said.includes('is ready')) break;
  }
  server.stdout?.resume();
  return { server, address: /Server listening at (http:\/\/[^"]+)/.exec(said)?.[1] ?? '' };
};

const fill = async ({ pool, db }: Connection, name: string, count: number): Promise<void> => {
  await pool.query('insert into networks (name, sso_id) values ($1::text, $1::text)', [name]);
  const { id } = await networkNamed(db, name);
  await pool.query('insert into network_settings (network_id) values ($1)', [id]);
  await pool.query(
    `with made as (
      insert into users (uid, email, firstname, lastname, status, user_mode, home_network_id, default_network_id, created_at)
      select $1::text || n, 'user' || n || '@' || $1::text || '.org',
        (array['Ana','Ben','Cleo','Dora','Emil','Fay','Gil','Hana','Ida','Jon'])[1 + n % 10],
        (array['Moreno','Ito','Diaz','Silva','Weber','Larsen','Katz','Vogel','Berg','Okafor','Haddad'])[1 + n % 11] || ' ' || md5(n::text),
        case when n % 9 = 0 then 'NonConfirmed' else 'Confirmed' end,
        case when n % 20 = 0 then 'Disable' else 'Active' end, $2::bigint, $2::bigint, now() - (n % 900) * interval '1 day'
      from generate_series(1, $3::int) n returning id)
    insert into memberships (network_id, user_id) select $2::bigint, id from made`,
    [name, id, count],
  );
};

const residentMegabytes = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const { server, address } = await start();
const connection = connect((await findEmbedded(folder)) ?? {}, () => undefined, backgroundLimits);
for (const [name, count] of Object.entries(sizes)) await fill(connection, name, count);
const { db, pool, close } = connection;
await pool.query('analyze');
const owner = await makeUser(db, { network: 'large', owns: ['large'] });
const { cookies } = await signInto(db, new Browser(undefined as never), owner);
const headers = { cookie: `opensocial_session=${cookies.get('opensocial_session')}`, 'sec-fetch-site': 'same-origin' };

type Init = { method?: string; headers?: Record<string, string>; body?: string };

const timed = async (path: string, init: Init = {}): Promise<{ milliseconds: number; answer: Response }> => {
  const begun = performance.now();
  const answer = await fetch(`${address}${path}`, { ...init, headers: { ...headers, ...init.headers } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  await answer.clone().arrayBuffer();
  return { milliseconds: performance.now() - begun, answer };
};

const { rows: some } = await pool.query<{ id: string }>(
  "select id from users where email like 'user%@large.org' order by id limit 1000",
);
const begunBulk = performance.now();
for (const { id } of some) await timed(`/server/user/${id}/mode/Disable/large`, { method: 'PUT' });
console.log(`bulk change of 1,000, one by one: ${((performance.now() - begunBulk) / 1_000).toFixed(1)} s`);

const { id: large } = await networkNamed(db, 'large');
const begunImport = performance.now();
for (let piece = 0; piece < 100; piece += 1) {
  const rows = Array.from({ length: 100 }, (_, line) => ({
    email: `import-${piece}-${line}@large.org`,
    firstname: 'Im',
    lastname: 'Port',
    groups: [],
  }));
  await timed(`/server/sso/users_import/${large}/large`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rows, apply: true }),
  });
}
console.log(`import of 10,000: ${((performance.now() - begunImport) / 1_000).toFixed(1)} s`);

const atRest = await residentMegabytes(server.pid ?? 0);
let peak = atRest;
const watch = setInterval(async () => {
  peak = Math.max(peak, await residentMegabytes(server.pid ?? 0));
}, 20);
const begunExport = performance.now();
const exported = await fetch(`${address}${exportUsers.path.build({ serverId: large, serverName: 'large' })}`, {
  headers,
});
let bytes = 0;
for await (const chunk of exported.body ?? []) bytes += (chunk as Uint8Array).length;
clearInterval(watch);
console.log(
  `export of 210,001: ${((performance.now() - begunExport) / 1_000).toFixed(1)} s, ${(bytes / 1e6).toFixed(1)} MB; server ${atRest.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB during`,
);

await close();
server.kill('SIGTERM');
await new Promise((ended) => server.once('exit', ended));
await rm(folder, { recursive: true, force: true });
