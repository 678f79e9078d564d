import { once } from 'node:events';
import { chown, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startEmbedded } from '../database/embedded/embedded.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { canRunAsNobody, nobody } from '../testing/machine/accounts.ts';
import { makeDataFolder, postgresProcessesOf, postmasterOf, untilStopped } from '../testing/machine/data-folder.ts';
import { makeDatabase, query, urlOf } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { templateName } from '../testing/machine/global-setup.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

/** Asserts that the start fails with a message for the operator and without a stack trace, and returns the message. */
const refusal = async (...args: Parameters<typeof ServerProcess.run>): Promise<string> => {
  const { code, stderr } = await ServerProcess.run(...args);
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr.trim();
};

describe.concurrent('a start on its own data folder is refused', () => {
  test('if the port is taken; PostgreSQL is stopped again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const folder = await makeDataFolder();
    expect(await refusal({ DATA_DIR: folder, PORT: String(port) })).toBe(
      `PORT: 127.0.0.1:${port} is in use by another program. Stop it, or set PORT to another number.`,
    );
    expect(await postmasterOf(folder)).toBeUndefined();
    other.close();
  });

  test('if the folder is below a file', async () => {
    const file = join(await makeDataFolder(), 'file');
    await writeFile(file, '');
    const folder = join(file, 'data');
    expect(await refusal({ DATA_DIR: folder })).toBe(
      `DATA_DIR: the folder ${folder} cannot be written to. Choose another or change its permissions.`,
    );
  });

  test.runIf(canRunAsNobody)('if an ordinary user may not write there, but not if they may', async () => {
    const folder = await makeDataFolder();
    expect(await refusal({ DATA_DIR: folder }, nobody)).toMatch(/^DATA_DIR: the folder \S+ cannot be written to\./);
    await chown(folder, nobody.uid, nobody.gid);
    const server = await ServerProcess.start({ DATA_DIR: folder }, nobody);
    expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await untilStopped(folder);
  });

  test('if a server is already running there, which continues undisturbed', async () => {
    const folder = await makeDataFolder();
    const first = await ServerProcess.start({ DATA_DIR: folder });
    const postmaster = await postmasterOf(folder);
    expect(await refusal({ DATA_DIR: folder })).toBe(
      'DATA_DIR: another server is already running on this folder. Stop it, or set DATA_DIR to another folder.',
    );
    expect(await postmasterOf(folder)).toBe(postmaster);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);

    await first.kill('SIGTERM');
    expect(await refusal({ DATA_DIR: folder, SECRET_KEY: 'another key than that of the first start' })).toMatch(
      /^SECRET_KEY: the key [0-9a-f]{16} is missing; .* Restore it\. .*`npm run rekey` has finished\.$/,
    );
    expect(await postmasterOf(folder)).toBeUndefined();
  });

  test('if PostgreSQL itself does not start, with its reason', async () => {
    const folder = await makeDataFolder();
    const embedded = await startEmbedded(folder);
    await embedded.stop();
    await writeFile(join(folder, 'postgres', 'PG_VERSION'), '9.6');
    expect(await refusal({ DATA_DIR: folder })).toBe(
      `PostgreSQL does not start: database files are incompatible with server\nIts log is ${folder}/postgres/server.log.`,
    );
  });
});

describe.concurrent('a start on an external database is refused', () => {
  const settings = { SECRET_KEY: 'a secret key that only tests use', PUBLIC_URL: testOrigin };

  test('if nothing listens there', async () => {
    const secret = 'not for the screen';
    const where = { DATABASE_URL: `postgres://someone:${secret}@127.0.0.1:1/nowhere`, DATABASE_WAIT: '1' };
    const said = await refusal({ ...settings, ...where });
    expect(said).toBe('DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:1).');
  });

  test('if there is no such database', async () => {
    const where = await makeDatabase();
    expect(await refusal({ ...settings, DATABASE_URL: urlOf({ ...where, database: 'nowhere' }) })).toBe(
      'DATABASE_URL: the database cannot be reached (database "nowhere" does not exist).',
    );
  });

  test('if the password is wrong, without printing it', async () => {
    const where = await makeDatabase();
    const said = await refusal({ ...settings, DATABASE_URL: urlOf({ ...where, password: 'wrong-password' }) });
    expect(said).toMatch(/^DATABASE_URL: .*password authentication failed/);
    expect(said).not.toContain('wrong-password');
  });

  test('if it was made by a newer program', async () => {
    const where = await makeDatabase(templateName);
    await query(where, "insert into migrations (name) values ('9999-from-the-future.sql')");
    expect(await refusal({ ...settings, DATABASE_URL: urlOf(where) })).toBe(
      'The database was migrated by a newer version of this program: it contains 9999-from-the-future.sql. Update the program.',
    );
  });

  test('if the secret key is a different one', async () => {
    const where = await makeDatabase(templateName);
    const environment = { ...settings, DATABASE_URL: urlOf(where), SECRET_KEY: 'another key than that of the tests' };
    expect(await refusal(environment)).toMatch(/^SECRET_KEY: the key [0-9a-f]{16} is missing;/);
  });

  test('if another server uses another key, because none was set', async () => {
    const DATABASE_URL = urlOf(await makeDatabase());
    const first = await ServerProcess.start({ DATABASE_URL, DATA_DIR: await makeDataFolder(), PUBLIC_URL: testOrigin });
    const folder = await makeDataFolder();
    const said = await refusal({ DATABASE_URL, DATA_DIR: folder, PUBLIC_URL: testOrigin });
    expect(said).toContain(
      `SECRET_KEY is not set, so the key is that of the file ${folder}/secret-key. Several servers on one database need the same SECRET_KEY.`,
    );
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
  });

  test('if another server keeps images elsewhere, and not after it has stopped', async () => {
    const [one, other] = [await makeDataFolder(), await makeDataFolder()];
    const environment = { ...settings, DATABASE_URL: urlOf(await makeDatabase()) };
    const first = await ServerProcess.start({ ...environment, DATA_DIR: one });
    const said = await refusal({ ...environment, DATA_DIR: other });
    expect(said).toMatch(
      /^MEDIA_URL: another server uses this database and keeps images in the folder (\S+)\/media of the machine .* Set MEDIA_URL to the same bucket on all servers\./,
    );
    expect(said).toContain(`in the folder ${one}/media`);
    const MEDIA_URL = 's3://key:not-for-the-screen@bucket.example.org/images';
    const bucketRefused = await refusal({ ...environment, DATA_DIR: other, MEDIA_URL });
    expect(bucketRefused).toContain('would keep them in the bucket https://bucket.example.org/images');
    expect(bucketRefused).not.toContain('not-for-the-screen');

    // The same folder, as if both machines had mounted it.
    const beside = await ServerProcess.start({ ...environment, DATA_DIR: one });
    await beside.kill('SIGTERM');
    expect(await first.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const moved = await ServerProcess.start({ ...environment, DATA_DIR: other });
    expect((await fetch(`${moved.address}/readyz`)).status).toBe(200);
  });

  test('if this machine does not have the address to listen on', async () => {
    const where = await makeDatabase(templateName);
    const environment = { ...settings, DATABASE_URL: urlOf(where), HOST: '203.0.113.7', PORT: '8099' };
    expect(await refusal(environment)).toBe('HOST: this machine does not have that address.');
  });

  test('with every wrong setting named at once', async () => {
    const said = await refusal({ DATABASE_URL: 'mysql://x', TRUST_PROXY: '0.0.0.0/0', SECRET_KEY: 'too short' });
    expect(said.split('\n')).toHaveLength(4);
    expect(said).not.toContain('too short\n');
  });
});

/** Longer than a query of a request may take. */
const pause = 5_500;

/** Suspends every process of PostgreSQL for a while, as on an overloaded machine. */
const starve = async (folder: string): Promise<void> => {
  const processes = await postgresProcessesOf(folder);
  for (const pid of processes) process.kill(pid, 'SIGSTOP');
  await delay(pause);
  for (const pid of processes) process.kill(pid, 'SIGCONT');
};

test.runIf(platform() === 'linux')('a first start on a very busy machine takes longer and succeeds', async () => {
  const folder = await makeDataFolder();
  const server = new ServerProcess({ DATA_DIR: folder });
  await eventually(async () => expect(await postmasterOf(folder)).toBeDefined(), 5);
  await starve(folder);
  await delay(300);
  await starve(folder);
  await server.says(/is ready: /);
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  expect(server.stderr).toBe('');
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(await postmasterOf(folder)).toBeUndefined();
});
