import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getAbout } from '@opensocial/contract';
import { describe, expect, test } from 'vitest';
import { browserAt, callerOf, signIn } from '../testing/app/over-http.ts';
import { testOrigin } from '../testing/app/test-parts.ts';
import { makeDataFolder, postmasterOf } from '../testing/machine/data-folder.ts';
import { makeDatabase, urlOf } from '../testing/machine/database.ts';
import { allowForStarts, ServerProcess } from '../testing/machine/server-process.ts';

allowForStarts();

const owner = { email: 'head@northlab.org', password: 'correct horse battery staple' };
const settings = { PUBLIC_URL: testOrigin, FIRST_OWNER_EMAIL: owner.email, FIRST_OWNER_PASSWORD: owner.password };

type Environment = Record<string, string>;

const backup = (environment: Environment, ...args: string[]) =>
  ServerProcess.run({ ...settings, ...environment }, { program: 'dist/cli/backup.js', args });
const restore = (environment: Environment, args: string[], input?: string) =>
  ServerProcess.run(
    { ...settings, ...environment },
    { program: 'dist/cli/restore.js', args, ...(input !== undefined && { input }) },
  );

const isSignedIn = (browser: ReturnType<typeof browserAt>): Promise<boolean> =>
  callerOf(browser)(getAbout, {}).then(
    () => true,
    () => false,
  );

describe.concurrent('npm run backup and restore', () => {
  test('move a running installation to another machine and to a PostgreSQL of its own', async () => {
    const from = await makeDataFolder();
    const server = await ServerProcess.start({ ...settings, DATA_DIR: from });
    const browser = await signIn(browserAt(server.address), owner);
    expect(await isSignedIn(browser)).toBe(true);
    const folder = await makeDataFolder();
    const made = await backup({ DATA_DIR: from }, '--to', folder);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('It also contains the secret key');
    expect(await isSignedIn(browser)).toBe(true);
    const file = join(folder, (await readdir(folder))[0] ?? '');

    const verified = await restore({}, [file, '--verify']);
    expect(verified).toMatchObject({ code: 0, stderr: '' });
    expect(verified.stdout).toContain('is complete and undamaged.\nMade 20');

    const beside = await restore({ DATA_DIR: from }, [file]);
    expect(beside).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('another server is already running') as unknown,
    });
    await server.kill('SIGTERM');
    const used = await restore({ DATA_DIR: from }, [file]);
    expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is not empty.') as unknown });
    const unsure = await restore({ DATA_DIR: from }, [file, '--replace'], 'yes\n');
    expect(unsure).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is not empty.') as unknown });
    const replaced = await restore({ DATA_DIR: from }, [file, '--replace'], 'replace\n');
    expect(replaced).toMatchObject({ code: 0, stderr: '' });

    const elsewhere = { DATA_DIR: await makeDataFolder() };
    const own = { DATA_DIR: await makeDataFolder(), DATABASE_URL: urlOf(await makeDatabase()) };
    for (const target of [elsewhere, own]) {
      const restored = await restore(target, [file]);
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      expect(restored.stdout).toContain('is restored. Start the server.\nEverybody has to sign in again');
      expect(await readFile(join(target.DATA_DIR, 'secret-key'), 'utf8')).toBe(
        await readFile(join(from, 'secret-key'), 'utf8'),
      );
      const started = await ServerProcess.start({ ...settings, ...target });
      const moved = browserAt(started.address);
      expect(await isSignedIn(moved)).toBe(false);
      await signIn(moved, owner);
      expect(await isSignedIn(moved)).toBe(true);
      await started.kill('SIGTERM');
    }

    // The cookie of a session that was open when the backup was made.
    const again = await ServerProcess.start({ ...settings, ...elsewhere });
    const former = browserAt(again.address);
    for (const [name, value] of browser.cookies) former.cookies.set(name, value);
    expect(await isSignedIn(former)).toBe(false);
  });

  test('leave the key out if they are told to, and then ask for it', async () => {
    const from = await makeDataFolder();
    const server = await ServerProcess.start({ ...settings, DATA_DIR: from });
    await server.kill('SIGTERM');
    const file = join(await makeDataFolder(), 'backup.tar');
    // Without a server, the command starts and stops the database.
    const made = await backup({ DATA_DIR: from, BACKUP_SECRET_KEY: 'omit' }, '--to', file);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/does not contain the secret key \([0-9a-f]{16}\): keep a copy/);
    expect(await postmasterOf(from)).toBeUndefined();
    const into = await makeDataFolder();
    const refused = await restore({ DATA_DIR: into }, [file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('which it does not contain') as unknown });
    const SECRET_KEYS = encodeURIComponent((await readFile(join(from, 'secret-key'), 'utf8')).trim());
    expect(await restore({ DATA_DIR: into, SECRET_KEYS }, [file])).toMatchObject({ code: 0, stderr: '' });
  });

  test('explain wrong arguments and an empty installation', async () => {
    const folder = await makeDataFolder();
    expect(await backup({ DATA_DIR: folder })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing to back up') as unknown,
    });
    expect(
      await backup(
        { DATABASE_URL: urlOf(await makeDatabase()), DATA_DIR: folder, SECRET_KEY: 'x'.repeat(32) },
        '--to',
        folder,
      ),
    ).toMatchObject({
      code: 1,
      stderr: 'The database has no installation of OpenSocial SSO, so there is nothing to back up.\n',
    });
    expect(await backup({ DATA_DIR: folder }, '--to', 'backup.zip')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Usage:') as unknown,
    });
    expect(await restore({ DATA_DIR: folder }, [])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run restore -- FILE') as unknown,
    });
    expect(await restore({ DATA_DIR: folder }, ['x', '--verify', '--replace'])).toMatchObject({ code: 1 });
    expect(await restore({ DATA_DIR: folder }, ['/nowhere/x.tar'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere/x.tar cannot be read') as unknown,
    });
  });
});
