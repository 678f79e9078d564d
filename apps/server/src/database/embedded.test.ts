import { spawn } from 'node:child_process';
import { chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeDataFolder, postmasterOf } from '../testing/data-folder.ts';
import { query } from '../testing/database.ts';
import { allowForStarts, ServerProcess } from '../testing/server-process.ts';
import { findEmbedded, startEmbedded } from './embedded.ts';

allowForStarts();

const stopped = { code: 0, signal: null };
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

/** Somebody without rights. As root, we have to become one for PostgreSQL to believe what it reads about processes. */
const ordinary = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const kill = async (folder: string) => process.kill((await postmasterOf(folder)) ?? 0, 'SIGKILL');

describe.concurrent('our own PostgreSQL', () => {
  test('is reached by nobody else', async () => {
    const folder = await makeDataFolder();
    await mkdir(join(folder, 'postgres.new', 'left by a start that was killed'), { recursive: true });
    const embedded = await startEmbedded(folder);
    for (const name of ['database-password', 'postgres/postgresql.conf']) {
      expect(await modeOf(join(folder, name))).toBe('600');
    }
    for (const name of ['postgres', 'run']) expect(await modeOf(join(folder, name))).toBe('700');
    const { rows } = await query<{ listen_addresses: string }>(embedded.where, 'show listen_addresses');
    expect(rows).toEqual([{ listen_addresses: '' }]);
    await expect(query({ ...embedded.where, password: 'guessed' }, 'select 1')).rejects.toThrow('password');
    await embedded.stop();
    expect(await postmasterOf(folder)).toBeUndefined();
    expect(await findEmbedded(folder)).toBeUndefined();
  });

  test('that dies under its server is started again, and the folder stays taken', async () => {
    const folder = await makeDataFolder();
    const server = await ServerProcess.start({ DATA_DIR: folder });
    const before = await postmasterOf(folder);
    await kill(folder);
    await server.says(/PostgreSQL had ended and was started again/);
    await vi.waitFor(async () => expect((await fetch(`${server.address}/readyz`)).status).toBe(200), {
      timeout: 30_000,
      interval: 50,
    });
    expect(await postmasterOf(folder)).not.toBe(before);
    const where = (await findEmbedded(folder)) ?? {};
    await vi.waitFor(async () => {
      const { rowCount } = await query(where, "select from pg_locks where locktype = 'advisory' and objid = 7350022");
      expect(rowCount).toBe(1);
    }, 30_000);
    await expect(startEmbedded(folder)).rejects.toThrow('another server');

    await kill(folder);
    expect(await server.kill('SIGTERM')).toEqual(stopped);
    expect(await postmasterOf(folder)).toBeUndefined();
    expect(server.stderr).toBe('');
  });

  test('recovers when it was killed together with its server', async () => {
    const folder = await makeDataFolder();
    const server = await ServerProcess.start({ DATA_DIR: folder });
    const where = (await findEmbedded(folder)) ?? {};
    await query(where, 'create table notes (text text)');
    await query(where, "insert into notes values ('kept')");
    await kill(folder);
    await server.kill('SIGKILL');
    const embedded = await startEmbedded(folder);
    expect((await query(where, 'select text from notes')).rows).toEqual([{ text: 'kept' }]);
    await embedded.stop();
  });

  test('starts although the number in its lock file is now that of another program', async () => {
    const folder = await makeDataFolder();
    if (ordinary.uid !== undefined) await chown(folder, ordinary.uid, ordinary.gid);
    const first = await ServerProcess.start({ DATA_DIR: folder }, ordinary);
    const lockFile = join(folder, 'postgres', 'postmaster.pid');
    const lines = (await readFile(lockFile, 'utf8')).split('\n');
    await first.kill('SIGTERM');

    const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], ordinary);
    try {
      await writeFile(lockFile, [other.pid, ...lines.slice(1)].join('\n'));
      if (ordinary.uid !== undefined) await chown(lockFile, ordinary.uid, ordinary.gid);
      const second = await ServerProcess.start({ DATA_DIR: folder }, ordinary);
      expect((await fetch(`${second.address}/readyz`)).status).toBe(200);
      expect(await second.kill('SIGTERM')).toEqual(stopped);
      expect(other.exitCode).toBeNull();
    } finally {
      other.kill('SIGKILL');
    }
  });
});
