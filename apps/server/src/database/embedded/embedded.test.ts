import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canRunAsNobody, isRoot, nobody } from '../../testing/machine/accounts.ts';
import { makeDataFolder, postmasterOf } from '../../testing/machine/data-folder.ts';
import { query } from '../../testing/machine/database.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { allowForStarts, ServerProcess } from '../../testing/machine/server-process.ts';
import { findEmbedded, startEmbedded } from './embedded.ts';
import { resolveHome, resolvePrograms } from './reachable.ts';

allowForStarts();

const stopped = { code: 0, signal: null };
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

/** An account without rights. PostgreSQL's view of other processes only applies if they do not run as root. */
const ordinary = isRoot ? nobody : undefined;

const kill = async (folder: string) => process.kill((await postmasterOf(folder)) ?? 0, 'SIGKILL');

describe.concurrent('the embedded PostgreSQL', () => {
  test('is not reachable by other users', async () => {
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

  test.runIf(isRoot)(
    'keeps its data elsewhere if only root may enter the folder, says so, and finds it again',
    async ({ onTestFinished }) => {
      const folder = await makeDataFolder();
      await chmod(folder, 0o700);
      const moved: string[] = [];
      const start = () => startEmbedded(folder, { onMoved: (folders) => moved.push(folders) });
      const first = await start();
      const [home = ''] = moved;
      onTestFinished(() => rm(home, { recursive: true, force: true }));
      expect(home).toMatch(/^\/var\/lib\/opensocial-sso\/database-[0-9a-f]{12}$/);
      await query(first.where, "create table notes as select 'kept' as text");
      await first.stop();
      const second = await start();
      expect((await query(second.where, 'select text from notes')).rows).toEqual([{ text: 'kept' }]);
      await second.stop();
      expect(moved).toEqual([home, home]);
    },
  );

  test.runIf(isRoot)(
    'is not moved if only root may enter its folder now: the error names the command that opens it',
    async () => {
      const folder = await makeDataFolder();
      await (await startEmbedded(folder)).stop();
      await chmod(folder, 0o700);
      await expect(startEmbedded(folder)).rejects.toThrow(`chmod o+x ${folder}`);
      await chmod(folder, 0o711);
      await (await startEmbedded(folder)).stop();
    },
  );

  test.runIf(isRoot)(
    'security: does not use a folder that somebody else could have prepared, or that a note in the data folder names',
    async () => {
      const folder = await makeDataFolder();
      await chmod(folder, 0o700);
      const account = nobody;
      const shared = join(await makeDataFolder(), 'shared');
      const reach = () => resolveHome(folder, account, shared);
      await mkdir(shared, { mode: 0o777 });
      await chmod(shared, 0o777);
      await expect(reach()).rejects.toThrow(`${shared} can be changed by users other than root`);
      await chmod(shared, 0o755);
      await chown(shared, nobody.uid, nobody.gid);
      await expect(reach()).rejects.toThrow(`${shared} can be changed by users other than root`);
      await rm(shared, { recursive: true });
      await symlink(tmpdir(), shared);
      await expect(reach()).rejects.toThrow(`${shared} is not a folder`);
      await rm(shared);
      const { home } = await reach();
      expect(home.startsWith(`${shared}/database-`)).toBe(true);
      expect(await modeOf(shared)).toBe('755');
      for (const note of ['/', '/etc', `${shared}/../elsewhere`, `${home}/below`]) {
        await writeFile(join(folder, 'postgres-folder'), note);
        await expect(reach()).rejects.toThrow('postgres-folder');
      }
      await writeFile(join(folder, 'postgres-folder'), home);
      await chown(home, nobody.uid, nobody.gid);
      await expect(reach()).rejects.toThrow(`${home} can be changed by users other than root`);
    },
  );

  test.runIf(isRoot)('runs its programs from a copy if its account cannot reach them', async ({ onTestFinished }) => {
    const folder = await makeDataFolder();
    await chmod(folder, 0o700);
    const native = join(folder, 'native');
    await mkdir(join(native, 'bin'), { recursive: true });
    const version = `0.0.${Date.now()}`;
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: '@test/programs', version }));
    for (const name of ['initdb', 'pg_ctl', 'postgres'])
      await writeFile(join(native, 'bin', name), '#!/bin/sh\n', { mode: 0o700 });
    const [initdb, pg_ctl, postgres] = ['initdb', 'pg_ctl', 'postgres'].map((name) => join(native, 'bin', name));
    const programs = { initdb: initdb ?? '', pg_ctl: pg_ctl ?? '', postgres: postgres ?? '' };
    const reached = await resolvePrograms(programs, nobody);
    const copy = `/var/lib/opensocial-sso/test-programs-${version}`;
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    expect(reached.postgres).toBe(`${copy}/bin/postgres`);
    expect(await resolvePrograms(programs, nobody)).toEqual(reached);
    expect((await stat(reached.initdb)).mode & 0o555).toBe(0o555);
  });

  test('is restarted if it dies, and the data folder stays locked', async () => {
    const folder = await makeDataFolder();
    const server = await ServerProcess.start({ DATA_DIR: folder });
    const before = await postmasterOf(folder);
    await kill(folder);
    await server.says(/PostgreSQL had stopped and was restarted/);
    await eventually(async () => expect((await fetch(`${server.address}/readyz`)).status).toBe(200));
    expect(await postmasterOf(folder)).not.toBe(before);
    const where = (await findEmbedded(folder)) ?? {};
    await eventually(async () => {
      const { rowCount } = await query(where, "select from pg_locks where locktype = 'advisory' and objid = 7350022");
      expect(rowCount).toBe(1);
    });
    await expect(startEmbedded(folder)).rejects.toThrow('another server');

    await kill(folder);
    expect(await server.kill('SIGTERM')).toEqual(stopped);
    expect(await postmasterOf(folder)).toBeUndefined();
    expect(server.stderr).toBe('');
  });

  test('started twice at the same moment serves one of the two; the other is refused and leaves it running', async () => {
    const folder = await makeDataFolder();
    await (await startEmbedded(folder)).stop();
    for (let round = 0; round < 3; round += 1) {
      const starts = await Promise.allSettled([startEmbedded(folder), startEmbedded(folder)]);
      const winners = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
      const refusals = starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : []));
      expect(refusals).toEqual([expect.stringContaining('another server is already running')]);
      const [winner] = winners;
      expect((await query(winner?.where ?? {}, 'select 1 as one')).rows).toEqual([{ one: 1 }]);
      await winner?.stop();
      expect(await postmasterOf(folder)).toBeUndefined();
    }
  });

  test('recovers if it was killed together with its server', async () => {
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

  test.runIf(canRunAsNobody || !isRoot)(
    'starts although the pid in its lock file now belongs to another program',
    async () => {
      const folder = await makeDataFolder();
      if (ordinary) await chown(folder, ordinary.uid, ordinary.gid);
      const first = await ServerProcess.start({ DATA_DIR: folder }, ordinary);
      const lockFile = join(folder, 'postgres', 'postmaster.pid');
      const lines = (await readFile(lockFile, 'utf8')).split('\n');
      await first.kill('SIGTERM');

      const other = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], ordinary ?? {});
      try {
        await writeFile(lockFile, [other.pid, ...lines.slice(1)].join('\n'));
        if (ordinary) await chown(lockFile, ordinary.uid, ordinary.gid);
        const second = await ServerProcess.start({ DATA_DIR: folder }, ordinary);
        expect((await fetch(`${second.address}/readyz`)).status).toBe(200);
        expect(await second.kill('SIGTERM')).toEqual(stopped);
        expect(other.exitCode).toBeNull();
      } finally {
        other.kill('SIGKILL');
      }
    },
  );
});
