import { spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backgroundLimits, connect } from '../apps/server/src/database/connect.ts';
import { findEmbedded, startEmbedded } from '../apps/server/src/database/embedded/embedded.ts';
import { transientTables } from '../apps/server/src/features/backups/backups.queries.ts';
import { hashPassword } from '../apps/server/src/secrets/passwords.ts';
import { createFolderStorage } from '../apps/server/src/storage/folder.ts';
import { networkNamed, password } from '../apps/server/src/testing/app/builders.ts';
import { browserAt, signIn } from '../apps/server/src/testing/app/over-http.ts';
import { testOrigin } from '../apps/server/src/testing/app/test-parts.ts';
import { digestTables } from '../apps/server/src/testing/machine/table-digests.ts';
import { startServer, stopServer } from './program.ts';

/**
 * Backs up an installation while people sign in, restores it on an empty machine, and compares every table. Prints the times, and fails if a
 * table differs or a person of before cannot sign in.
 */
const people = 50_000;
const sites = 5_000;
const lines = 1_000_000;
const images = 2_000;
const imageSize = 250_000;

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
const makeFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-drill-'));
  await chmod(folder, 0o711);
  folders.push(folder);
  return folder;
};

const environmentOf = (folder: string) => ({
  PATH: process.env['PATH'],
  DATA_DIR: folder,
  PORT: '0',
  WORKERS: '1',
  PUBLIC_URL: testOrigin,
  TRUST_PROXY: '127.0.0.1',
});

/** Runs a command, prints what it says, and returns how long it took and how much memory it needed. */
const run = async (folder: string, program: string, ...args: string[]): Promise<{ seconds: number; peak: number }> => {
  const begun = performance.now();
  const command = spawn(
    process.execPath,
    [
      '--import',
      `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS+'\\n'))`,
      `apps/server/src/cli/${program}.ts`,
      ...args,
    ],
    { cwd: root, stdio: ['ignore', 'inherit', 'pipe'], env: environmentOf(folder) },
  );
  const ended = once(command, 'close') as Promise<[number | null]>;
  let said = '';
  command.stderr.on('data', (words: Buffer) => {
    said += words.toString();
  });
  const [code] = await ended;
  if (code !== 0) throw new Error(`npm run ${program} has failed:\n${said}`);
  return {
    seconds: (performance.now() - begun) / 1_000,
    peak: Number(/peak (\d+)/.exec(said)?.[1]) / 1_024,
  };
};

const fill = async (folder: string): Promise<void> => {
  const where = (await findEmbedded(folder)) ?? {};
  const { pool, db, close } = connect(where, () => undefined, backgroundLimits);
  const { id } = await networkNamed(db, 'opensocial');
  await pool.query(
    `insert into users (uid, email, firstname, lastname, status, password_hash, home_network_id, default_network_id)
     select 'u' || place, 'person-' || place || '@northlab.org', 'Ana', 'Moreno ' || md5(place::text), 'Confirmed', $1, $2, $2
     from generate_series(1, $3::int) as place`,
    [await hashPassword(password), id, people],
  );
  await pool.query(
    'insert into memberships (network_id, user_id) select home_network_id, id from users on conflict do nothing',
  );
  await pool.query(
    `insert into sites (network_id, identity, acs, sls, domain, site_name)
     select $1, 'https://site-' || place || '.example.org', 'https://site-' || place || '.example.org/acs',
       'https://site-' || place || '.example.org/sls', 'site-' || place || '.example.org', 'Site ' || place
     from generate_series(1, $2::int) as place`,
    [id, sites],
  );
  await pool.query(
    `insert into login_log (network_id, user_id, email, site, login_status, reason, ip_address, user_agent, login_time)
     select $1, 1 + place % $2, 'person-' || place % $2 || '@northlab.org', 'site-' || place % $3 || '.example.org',
       case when place % 20 = 0 then 'Failed' else 'Success' end, '', ('10.1.' || place % 250 || '.7')::inet,
       'Mozilla/5.0 (X11; Linux x86_64)', now() - place * interval '5 seconds'
     from generate_series(1, $4::int) as place`,
    [id, people, sites, lines],
  );
  await pool.query(
    `insert into audit_records (network_id, actor, audit_type, action, description, new_data)
     select $1, 'ana@northlab.org', 'User', 'edit', 'User', jsonb_build_object('lastname', md5(place::text))
     from generate_series(1, $2::int) as place`,
    [id, people],
  );
  await pool.query(
    `insert into images (network_id, kind, name, media_type, size, width, height)
     select $1, 'image', 'image' || place || '.png', 'image/png', $3, 800, 600 from generate_series(1, $2::int) as place`,
    [id, images, imageSize],
  );
  await close();
  const storage = createFolderStorage(join(folder, 'media'));
  const bytes = Buffer.alloc(imageSize);
  const file = join(folder, 'image');
  for (let place = 1; place <= images; place += 1) {
    await writeFile(file, randomFillSync(bytes));
    await storage.put(`image${place}.png`, file);
  }
};

/** Signs people in until it is over, and returns how many succeeded. */
const signInUntil = async (address: string, isOver: () => boolean): Promise<number> => {
  let count = 0;
  while (!isOver()) {
    count += 1;
    await signIn(browserAt(address), { email: `person-${count}@northlab.org`, password });
  }
  return count;
};

const digestsIn = async (folder: string) => {
  const { where, stop: stopDatabase } = await startEmbedded(folder);
  try {
    return await digestTables(where);
  } finally {
    await stopDatabase();
  }
};

try {
  const from = await makeFolder();
  const first = await startServer(environmentOf(from));
  await fill(from);
  const file = join(await makeFolder(), 'backup.tar.gz');
  let isOver = false;
  const signIns = signInUntil(first.address, () => isOver);
  const online = await run(from, 'backup', '--to', file);
  isOver = true;
  const during = await signIns;
  await stopServer(first.server);

  // Nobody writes during the second one, so that the tables can be compared.
  const still = join(await makeFolder(), 'backup.tar.gz');
  const offline = await run(from, 'backup', '--to', still);
  const verified = await run(from, 'restore', still, '--verify');
  const into = await makeFolder();
  const restored = await run(into, 'restore', still);

  const before = await digestsIn(from);
  const after = await digestsIn(into);
  const compared = Object.keys(before).filter((name) => ![...transientTables, 'migrations'].includes(name));
  const different = compared.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const second = await startServer(environmentOf(into));
  await signIn(browserAt(second.address), { email: 'person-77@northlab.org', password });
  await stopServer(second.server);

  const rows = compared.reduce((sum, name) => sum + (before[name]?.rows ?? 0), 0);
  const megabytes = (await stat(still)).size / 1_000_000;
  const print = (what: string, { seconds, peak }: { seconds: number; peak: number }) =>
    console.log(`${what}: ${seconds.toFixed(1)} s, at most ${peak.toFixed(0)} MB of memory`);
  console.log(`${rows.toLocaleString('en')} rows, ${images} images, a file of ${megabytes.toFixed(0)} MB`);
  print(`backup during ${during} sign-ins, none of which failed`, online);
  print('backup of a stopped server', offline);
  print('verify', verified);
  print('restore', restored);
  console.log(`tables with equal checksums: ${compared.length - different.length} of ${compared.length}`);
  console.log('a person of before signs in: yes');
  if (different.length > 0) throw new Error(`These tables differ: ${different.join(', ')}`);
} finally {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}
