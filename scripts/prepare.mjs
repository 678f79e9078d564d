// Plain JavaScript for Node 20 or later, because it runs before anything is installed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const at = (...parts) => join(root, ...parts);

const children = new Set();
let isStopping = false;

/**
 * Forwards signals to child processes and waits for them to end. Ctrl-C reaches them twice, because the terminal sends
 * it too; they ignore the second one. If npm is killed, it does not signal us, so its end counts as a signal too.
 */
const stopOnSignals = () => {
  const stop = (signal) => {
    isStopping = true;
    for (const child of children) child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
  const parent = process.ppid;
  if (!process.env.npm_lifecycle_event) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop('SIGTERM');
  }, 1_000);
  watch.unref();
};

/** Runs a program to its end in our terminal, with the installed Node on its path. */
export const run = (command, args, options = {}) =>
  new Promise((resolve, reject) => {
    if (isStopping) return reject(new Error('Stopped.'));
    const path = `${at('node_modules', '.bin')}:${process.env.PATH}`;
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      ...options,
      env: { ...process.env, PATH: path, ...options.env },
    });
    children.add(child);
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      children.delete(child);
      resolve(code ?? (signal ? 1 : 0));
    });
  });

const marker = 'node_modules/.installed';
const scriptsMarker = 'node_modules/.install-scripts';

/** Whether we run on the Node that was installed here, which an installation replaces. */
const isOwnNode = process.execPath.startsWith(at('node_modules/'));

/**
 * Installs the packages of the lock file, once for each of its versions: those that the server needs, or with
 * `forDevelopment` also those for tests and checks. `runInstallScripts` runs the install scripts later, in parallel
 * with the first builds.
 */
export const ensureInstalled = async ({ forDevelopment = false } = {}) => {
  const lock = await readFile(at('package-lock.json'));
  const installed = (await readOr(at(marker))) ?? '';
  // Development packages that are already installed stay.
  const isAll = forDevelopment || existsSync(at('node_modules/vitest'));
  const state = digest(lock) + (isAll ? ' all' : '');
  if (installed === state) return;
  const packages = packagesOf(JSON.parse(lock), isAll);
  const stopProgress = showProgress(() => packages.filter((path) => existsSync(at(path))).length, packages.length);
  const code = await npm([
    'ci',
    '--no-progress',
    ...(isOwnNode ? [] : ['--ignore-scripts']),
    ...(isAll ? [] : ['--omit=dev']),
  ]);
  stopProgress();
  if (code !== 0) throw new Error('The installation failed; the lines above say why.');
  if (isOwnNode) await writeFile(at(scriptsMarker), state);
  await writeFile(at(marker), state);
};

const npm = (args) => {
  const program = process.env.npm_execpath;
  const [command, first] = program ? [process.execPath, [program]] : ['npm', []];
  return run(command, [...first, ...args, '--loglevel=error'], { stdio: ['ignore', 'ignore', 'inherit'] });
};

/** The package folders that the lock file creates on this platform. */
const packagesOf = ({ packages }, isAll) =>
  Object.entries(packages)
    .filter(
      ([path, { link, dev, devOptional, os, cpu, libc }]) =>
        path.includes('node_modules/') &&
        !link &&
        (isAll || !(dev || devOptional)) &&
        (os ?? [process.platform]).includes(process.platform) &&
        (cpu ?? [process.arch]).includes(process.arch) &&
        (libc ?? ['glibc']).includes('glibc'),
    )
    .map(([path]) => `${path}/package.json`);

/** Shows the progress of the installation: on one line in a terminal, otherwise one line per quarter. */
const showProgress = (count, total) => {
  const name = 'Installing';
  let quarter = 0;
  console.log(`${name}…`);
  const show = () => {
    const percent = Math.min(99, Math.floor((count() * 100) / total));
    if (process.stdout.isTTY) process.stdout.write(`\r${name}… ${percent} %`);
    else if (percent >= (quarter + 1) * 25) {
      quarter = Math.floor(percent / 25);
      console.log(`${name}… ${quarter * 25} %`);
    }
  };
  const timer = setInterval(show, 500);
  return () => {
    clearInterval(timer);
    if (process.stdout.isTTY) process.stdout.write(`\r${' '.repeat(name.length + 8)}\r`);
  };
};

/** Runs the install scripts that are needed: one downloads Node 24, the other completes PostgreSQL. */
const runInstallScripts = async () => {
  const state = await readFile(at(marker), 'utf8');
  if ((await readOr(at(scriptsMarker))) === state) return;
  const code = await npm(['rebuild']);
  if (code !== 0) throw new Error('The installation failed; the lines above say why.');
  await writeFile(at(scriptsMarker), state);
};

/** Node 24: the installed one, or the current one if install scripts are disabled. */
export const findNode = () => {
  const installed = at('node_modules', 'node', 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (isNode(24, 0)) return process.execPath;
  throw new Error(
    `Node 24 is needed. Its install script did not run, and this is Node ${process.versions.node}: allow install scripts (npm start --ignore-scripts=false) or install Node 24.`,
  );
};

const isNode = (major, minor) => {
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
};

const vite = [at('node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'];
const pages = ['packages/look/src', 'packages/contract/src', 'apps/signin', 'apps/console', 'package-lock.json'];
const built = [
  { name: 'the console', folder: 'apps/console', sources: [...pages, 'docs/owners.md'], command: vite },
  { name: 'the sign-in pages', folder: 'apps/signin', sources: pages, command: vite },
  {
    name: 'the server',
    folder: 'apps/server',
    sources: ['packages', 'apps/server/src', 'apps/server/vite.config.ts', 'package-lock.json'],
    command: vite,
    // It imports the sign-in pages, and Vite resolves every import.
    after: 'the sign-in pages',
  },
  {
    name: 'the icons',
    folder: 'apps/server',
    sources: ['apps/server/build.ts', 'apps/server/src/features/icons', 'apps/server/src/markup', 'package-lock.json'],
    command: ['build.ts'],
    needsNode24: true,
  },
];

/** Builds what has changed, in parallel with each other and with the install scripts. */
export const ensureBuilt = async () => {
  const scripts = runInstallScripts();
  // Vite runs on the Node that npm was started with, if it is new enough; the rest waits for Node 24.
  const canBuildNow = !isOwnNode && ((process.versions.node.startsWith('20.') && isNode(20, 19)) || isNode(22, 12));
  const builds = new Map();
  for (const part of built) {
    const isNow = canBuildNow && !part.needsNode24;
    const ready = Promise.all([builds.get(part.after), isNow ? undefined : scripts]);
    builds.set(
      part.name,
      ready.then(() => build(part, isNow ? process.execPath : findNode())),
    );
  }
  const outcomes = await Promise.allSettled([scripts, ...builds.values()]);
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
};

const build = async ({ name, folder, sources, command }, node) => {
  const state = digest(...(await Promise.all(sources.map((source) => fingerprint(at(source))))));
  const builtMarker = at(folder, 'dist', `.built-${name.replaceAll(' ', '-')}`);
  if ((await readOr(builtMarker)) === state) return;
  console.log(`Building ${name}…`);
  const code = await run(node, command, { cwd: at(folder) });
  if (code !== 0) throw new Error(`Building ${name} failed; the lines above say why.`);
  await writeFile(builtMarker, state);
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

/** Installs, builds, and runs a program to its end. */
export const runProgram = async (file, args = []) => {
  await ensureInstalled();
  await ensureBuilt();
  return run(findNode(), [file, ...args], { env: { PATH: process.env.PATH } });
};

/** Reports errors as a sentence instead of a stack trace. Errors caused by a stop are not reported. */
export const main = async (work) => {
  stopOnSignals();
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    if (!isStopping) console.error(`\n${error.message}\n`);
    process.exitCode = 1;
  }
};
