import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../database/connect.ts';
import { backUp, makeTarget, restore, testSecretKey } from '../../testing/app/backups.ts';
import { makeUser } from '../../testing/app/builders.ts';
import { openParts } from '../../testing/app/open-parts.ts';
import { buildTestApp, type TestApp } from '../../testing/app/test-app.ts';
import { afterFile } from '../../testing/machine/cleanup.ts';
import { makeDataFolder } from '../../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../../testing/machine/database.ts';
import { eventually } from '../../testing/machine/eventually.ts';
import { templateName } from '../../testing/machine/global-setup.ts';
import { createArchive, digestOf, readArchive, readWhole } from './backups.archive.ts';
import { BackupError, entryNames } from './backups.format.ts';
import { makeBackup } from './backups.make.service.ts';
import { readBackup } from './backups.read.service.ts';
import { verifyBackup } from './backups.restore.service.ts';

/** Mounting requires privileges that root has on Linux, but not in every container. */
const canFillDisk =
  process.platform === 'linux' && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

let testApp: TestApp;
let plain: string;
let compressed: string;
beforeAll(async () => {
  testApp = await buildTestApp();
  await makeUser(testApp.db, { lastname: 'Moreno' });
  plain = (await backUp(testApp, 'backup.tar')).file;
  compressed = (await backUp(testApp, 'backup.tar.gz')).file;
});

const copyWith = async (file: string, change: (bytes: Buffer) => Buffer): Promise<string> => {
  const changed = join(await makeDataFolder(), basename(file));
  await writeFile(changed, change(Buffer.from(await readFile(file))));
  return changed;
};

type Entry = { name: string; bytes: Buffer };

/** The same archive with other entries; its checksums are those of the manifest that it has then. */
const rewrite = async (change: (entries: Entry[]) => Entry[]): Promise<string> => {
  const entries: Entry[] = [];
  for await (const entry of readArchive(plain))
    entries.push({ name: entry.name, bytes: await readWhole(entry, 100_000_000) });
  const file = join(await makeDataFolder(), 'backup.tar');
  const archive = createArchive(file, { isCompressed: false });
  for (const { name, bytes } of change(entries)) await archive.add(name, bytes);
  await archive.finish();
  return file;
};

const changeJson = (entries: Entry[], name: string, change: (json: Record<string, unknown>) => object): Entry[] => {
  const changed = entries.map((entry) =>
    entry.name === name
      ? {
          name,
          bytes: Buffer.from(JSON.stringify(change(JSON.parse(entry.bytes.toString()) as Record<string, unknown>))),
        }
      : entry,
  );
  const manifest = changed.find((entry) => entry.name === entryNames.manifest)?.bytes ?? Buffer.alloc(0);
  return changed.map((entry) =>
    entry.name === entryNames.digest ? { ...entry, bytes: Buffer.from(digestOf(manifest)) } : entry,
  );
};

describe('the file of a backup', () => {
  test('can be read by its owner only, and by tar and sha256sum', async () => {
    expect(((await stat(compressed)).mode & 0o777).toString(8)).toBe('600');
    const folder = await makeDataFolder();
    execFileSync('tar', ['xzf', compressed, '-C', folder]);
    execFileSync('sha256sum', ['--check', '--status', entryNames.digest], { cwd: folder });
    expect(await readFile(join(folder, 'tables/users/000001.copy'), 'utf8')).toContain('Moreno');
  });

  test('contains no session, no queue, and without its being asked for no secret key', async () => {
    const names: string[] = [];
    for await (const entry of readArchive(plain)) {
      names.push(entry.name);
      await readWhole(entry, 100_000_000);
    }
    expect(names.filter((name) => /session|job|secret-key$/.test(name))).toEqual([]);
    expect(names.at(0)).toBe(entryNames.opening);
    expect(names.slice(-2)).toEqual([entryNames.manifest, entryNames.digest]);
  });

  test.for([0, 1, 511, 512, 1_024, 0.3, 0.5, 0.9, 0.999])('cut at %d is refused', async (at) => {
    for (const file of [plain, compressed]) {
      const size = (await stat(file)).size;
      const cut = await copyWith(file, (bytes) => bytes);
      await truncate(cut, at >= 1 || at === 0 ? at : Math.floor(size * at));
      await expect(verifyBackup(cut)).rejects.toThrow(BackupError);
    }
  });

  test('cut before its end between two entries is refused', async () => {
    const cut = await rewrite((entries) => entries.slice(0, -2));
    await expect(verifyBackup(cut)).rejects.toThrow('its end is missing');
  });

  test.for(['backup.tar', 'backup.tar.gz'])(
    'with a changed bit is refused, unless the content is the same: %s',
    async (name) => {
      const file = name === 'backup.tar' ? plain : compressed;
      const { manifest } = await readBackup(file);
      const size = (await stat(file)).size;
      const outcomes: unknown[] = [];
      for (let round = 0; round < 60; round += 1) {
        const place = Math.floor((size * (round + 0.5)) / 60);
        const changed = await copyWith(file, (bytes) => {
          bytes[place] = (bytes[place] ?? 0) ^ (1 << (round % 8));
          return bytes;
        });
        outcomes.push(
          await verifyBackup(changed).then(
            (read) => read.manifest,
            (error: unknown) => (error instanceof BackupError ? 'refused' : error),
          ),
        );
      }
      // Bits behind the end of a short entry are not read, and some bits of the compression can have two values.
      const refused = outcomes.filter((outcome) => outcome === 'refused');
      expect(outcomes.filter((outcome) => outcome !== 'refused')).toEqual(
        Array.from({ length: outcomes.length - refused.length }, () => manifest),
      );
      expect(refused.length).toBeGreaterThan(20);
    },
  );

  test.for<[string, (entries: Entry[]) => Entry[], string]>([
    [
      'an additional entry',
      (all) => all.toSpliced(2, 0, { name: 'etc/passwd', bytes: Buffer.from('x') }),
      'does not belong',
    ],
    [
      'a file outside of its folder',
      (all) => all.toSpliced(2, 0, { name: 'media/../x', bytes: Buffer.from('x') }),
      'does not belong',
    ],
    ['a missing table', (all) => all.filter(({ name }) => !name.startsWith('tables/users/')), 'table users is missing'],
    [
      'a missing part',
      (all) => all.map((each) => ({ ...each, name: each.name.replace('users/000001', 'users/000002') })),
      'part 1',
    ],
    [
      'a file that is not listed',
      (all) => all.toSpliced(-2, 0, { name: 'media/x.png', bytes: Buffer.from('x') }),
      'not listed',
    ],
    ['an entry behind the end', (all) => [...all, { name: 'media/x.png', bytes: Buffer.from('x') }], 'behind the end'],
    [
      'a secret key that is not its own',
      (all) => all.toSpliced(2, 0, { name: 'secret-key', bytes: Buffer.from('x'.repeat(40)) }),
      'checksum of the secret key',
    ],
    [
      'other rows',
      (all) =>
        all.map((each) =>
          each.name.startsWith('tables/users/')
            ? { ...each, bytes: Buffer.from(each.bytes.toString().replace('Moreno', 'Morena')) }
            : each,
        ),
      'checksum of the table users',
    ],
  ])('with %s is refused', async ([, change, words]) => {
    await expect(verifyBackup(await rewrite(change))).rejects.toThrow(words);
  });

  test('of a newer version is refused: with unknown changes of the tables, or in a newer format', async () => {
    const newer = await rewrite((all) =>
      changeJson(all, entryNames.manifest, (manifest) => ({
        ...manifest,
        version: '9.1.0',
        migrations: [...(manifest['migrations'] as string[]), '9001-tomorrow.sql'],
      })),
    );
    await expect(verifyBackup(newer)).rejects.toThrow(
      /newer version \(9\.1\.0\): it contains the changes 9001-tomorrow\.sql.* Update the program/,
    );
    const format = await rewrite((all) =>
      changeJson(all, entryNames.opening, (opening) => ({ ...opening, format: 2, version: '9.1.0' })),
    );
    await expect(verifyBackup(format)).rejects.toThrow('was made by version 9.1.0');
  });

  test('of another program is refused', async () => {
    const folder = await makeDataFolder();
    const file = join(folder, 'file');
    await writeFile(file, 'PGDMP and so on'.repeat(200));
    await expect(verifyBackup(file)).rejects.toThrow(BackupError);
    execFileSync('tar', ['cf', join(folder, 'other.tar'), '-C', folder, 'file']);
    await expect(verifyBackup(join(folder, 'other.tar'))).rejects.toThrow('is not a backup of OpenSocial SSO');
    await expect(verifyBackup(join(folder, 'missing'))).rejects.toThrow('cannot be read');
  });

  test('is not overwritten', async () => {
    const { where, parts } = testApp;
    const source = { where, storage: parts.storage, secretKey: undefined };
    await expect(makeBackup(source, plain)).rejects.toThrow('exists already');
    expect(await readdir(dirname(plain))).toEqual(['backup.tar']);
  });

  test.runIf(canFillDisk)('on a full disk leaves nothing behind, and says so', async () => {
    const disk = await mkdtemp(join(tmpdir(), 'opensocial-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
    afterFile(async () => {
      execFileSync('umount', [disk]);
      await rm(disk, { recursive: true });
    });
    const full = await buildTestApp();
    await query(
      full.where,
      `insert into audit_records (network_id, actor, audit_type, action, description)
       select id, 'ana', 'Site', 'edit', md5(place::text) from networks, generate_series(1, 20000) as place where name = 'northlab'`,
    );
    const source = { where: full.where, storage: full.parts.storage, secretKey: undefined };
    for (const name of ['backup.tar', 'backup.tar.gz']) {
      await expect(makeBackup(source, join(disk, name))).rejects.toThrow(`${disk} has no space left`);
      expect(await readdir(disk)).toEqual([]);
    }
    const { rows } = await full.pool.query(
      `select count(*)::int as open from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(rows).toEqual([{ open: 0 }]);
  });

  test('into a folder that does not exist is refused, because it may be a disk that is not mounted', async () => {
    const { where, parts } = testApp;
    const source = { where, storage: parts.storage, secretKey: undefined };
    await expect(makeBackup(source, '/nowhere/backup.tar')).rejects.toThrow('/nowhere cannot be written to');
  });
});

describe('a restore', () => {
  test('is refused if the database is in use, and replaces it if that is confirmed', async () => {
    const used = await makeDatabase(templateName);
    const other = connect(used, () => undefined);
    await makeUser(other.db, { lastname: 'Other' });
    await other.close();
    const target = await makeTarget(used);
    const lastnames = async () =>
      (await query<{ lastname: string }>(used, `select lastname from users order by 1`)).rows.map(
        ({ lastname }) => lastname,
      );
    await eventually(() => expect(restore(plain, target)).rejects.toThrow(/not empty.*--replace/));
    expect(await lastnames()).toEqual(['Other']);
    await restore(plain, target, true);
    expect(await lastnames()).toEqual(['Moreno']);
  });

  test('is refused while other programs are connected', async () => {
    const target = await makeTarget();
    const client = new pg.Client({ ...target.where, application_name: 'a server' });
    await client.connect();
    await expect(restore(plain, target)).rejects.toThrow(
      /Other programs are connected to the database: a server as \w+/,
    );
    await client.end();
    await eventually(() => restore(plain, target));
  });

  test('is refused into the tables of another program, also if everything may be replaced', async () => {
    const where = await makeDatabase();
    await query(where, 'create table invoices (id int)');
    await expect(restore(plain, await makeTarget(where), true)).rejects.toThrow('tables of another program');
    expect((await query(where, 'select from invoices')).rowCount).toBe(0);
  });

  test('is refused with a key that does not fit, before anything is changed', async () => {
    const where = await makeDatabase();
    const wrong = await makeTarget(where, { SECRET_KEY: 'another key that is also long enough' });
    await expect(restore(plain, wrong)).rejects.toThrow(
      /^SECRET_KEY: the backup was made with the secret key [0-9a-f]{16}; configured: /,
    );
    const none = await makeTarget(where, {});
    await expect(restore(plain, none)).rejects.toThrow(
      /does not contain. Set SECRET_KEY to this key, or copy the file secret-key/,
    );
    expect(
      (await query(where, `select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`))
        .rowCount,
    ).toBe(0);
  });

  test('brings the key along if the backup contains it, and keeps the former one', async () => {
    const { where, parts } = testApp;
    const file = join(await makeDataFolder(), 'backup.tar');
    await makeBackup({ where, storage: parts.storage, secretKey: `${testSecretKey}\n` }, file);
    const target = await makeTarget(undefined, {});
    const folder = target.config.dataDir;
    await writeFile(join(folder, 'secret-key'), 'the key of a server that was started once');
    await restore(file, target);
    expect(await readFile(join(folder, 'secret-key'), 'utf8')).toBe(`${testSecretKey}\n`);
    expect(((await stat(join(folder, 'secret-key'))).mode & 0o777).toString(8)).toBe('600');
    const former = (await readdir(folder)).find((name) => name.startsWith('secret-key.before-restore-')) ?? '';
    expect(await readFile(join(folder, former), 'utf8')).toBe('the key of a server that was started once');
  });

  test('that fails on the way leaves a database on which no server starts, and can be repeated', async () => {
    const target = await makeTarget();
    const failing: typeof target = {
      ...target,
      config: { ...target.config, dataDir: join(plain, 'is a file') },
    };
    const withFile = await buildTestApp();
    const image = join(await makeDataFolder(), 'given');
    await writeFile(image, 'bytes');
    await withFile.parts.storage.put('lost.webp', image);
    await withFile.pool.query(
      `with made as (insert into users (uid, email, home_network_id, default_network_id) select 'ana', 'ana@northlab.org', id, id from networks where name = 'northlab' returning id)
       insert into profile_pictures (name, user_id) select '/server/sso/profile_pic/lost.webp', id from made`,
    );
    const { file } = await backUp(withFile);
    await expect(restore(file, failing)).rejects.toThrow('ENOTDIR');
    await expect(openParts(target.where, testSecretKey)).rejects.toThrow(
      'A restore into this database has not finished',
    );
    expect((await query(target.where, 'select from users')).rowCount).toBe(0);
    await eventually(() => restore(file, target));
    expect((await query(target.where, 'select from users')).rowCount).toBe(1);
    await openParts(target.where, testSecretKey);
  });

  test('needs no confirmation if a server has only been started on the database', async () => {
    const fresh = await makeDatabase();
    const { close } = await openParts(fresh, testSecretKey);
    await close();
    const target = await makeTarget(fresh);
    await eventually(() => restore(plain, target));
    expect((await query(fresh, `select from users where lastname = 'Moreno'`)).rowCount).toBe(1);
  });
});
