// Plain JavaScript for any Node from 20 on: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const at = (...parts) => join(root, ...parts);

/** Runs a program to its end, in our terminal; what it needs of Node is the installed one. */
export const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    const path = `${at('node_modules', '.bin')}:${process.env.PATH}`;
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      ...options,
      env: { ...process.env, PATH: path, ...options.env },
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });

/** Installs what the lock file says, once for each of its versions. */
export const ensureInstalled = async () => {
  const marker = at('node_modules', '.installed');
  const lock = digest(await readFile(at('package-lock.json')));
  if ((await readOr(marker)) === lock) return;
  console.log('Installing…');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  const code = await run(command, [...args, 'ci', '--loglevel=error']);
  if (code !== 0) throw new Error('The installation failed; the lines above say why.');
  await writeFile(marker, lock);
};

/** Node 24: the one that was installed, or this one where install scripts are switched off. */
export const findNode = () => {
  const installed = at('node_modules', 'node', 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  throw new Error(
    `Node 24 is needed. Its install script did not run, and this is Node ${process.versions.node}: allow install scripts (npm ci --ignore-scripts=false) or install Node 24.`,
  );
};

const vite = [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'];
const pages = ['packages/look/src', 'packages/contract/src', 'apps/signin', 'apps/console', 'package-lock.json'];
const built = [
  { name: 'the sign-in pages', folder: 'apps/signin', sources: pages, command: vite },
  { name: 'the console', folder: 'apps/console', sources: pages, command: vite },
  {
    name: 'the icons',
    folder: 'apps/server',
    sources: ['apps/server/build.ts', 'apps/server/src/features/icons', 'apps/server/src/markup', 'package-lock.json'],
    command: ['build.ts'],
  },
  {
    name: 'the server',
    folder: 'apps/server',
    sources: ['packages', 'apps/server/src', 'apps/server/vite.config.ts', 'package-lock.json'],
    command: vite,
  },
];

/** Builds whatever has changed since it was built. */
export const ensureBuilt = async () => {
  const node = findNode();
  for (const { name, folder, sources, command } of built) {
    const state = digest(...(await Promise.all(sources.map((source) => fingerprint(at(source))))));
    const marker = at(folder, 'dist', `.built-${name.replaceAll(' ', '-')}`);
    if ((await readOr(marker)) === state) continue;
    console.log(`Building ${name}…`);
    const code = await run(node, command, { cwd: at(folder) });
    if (code !== 0) throw new Error(`Building ${name} failed; the lines above say why.`);
    await writeFile(marker, state);
  }
};

const fingerprint = async (path) => {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (!entries) return digest(await readFile(path));
  const kept = entries
    .filter(({ name }) => name !== 'dist' && name !== 'node_modules')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return digest(...(await Promise.all(kept.map(async ({ name }) => `${name}:${await fingerprint(join(path, name))}`))));
};

const digest = (...contents) =>
  contents.reduce((hash, content) => hash.update(content), createHash('sha256')).digest('hex');

const readOr = (path) => readFile(path, 'utf8').catch(() => undefined);

/** Installs, builds, and runs a server to its end. */
export const runServer = async (file) => {
  await ensureInstalled();
  await ensureBuilt();
  const server = spawn(findNode(), [file], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches the server by itself; a signal to this process is passed on. Either way the server ends first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  return new Promise((resolve) => server.on('exit', (code) => resolve(code ?? 1)));
};

/** Ends with a sentence instead of a stack trace. */
export const main = async (work) => {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    console.error(`\n${error.message}\n`);
    process.exitCode = 1;
  }
};
