import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, findNode, main, root, run } from './prepare.mjs';

const tool = (path) => join(root, 'node_modules', path);

/** The quickest first: the shell is the browser without its windows. */
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Each check with the words that name it, in the order of how quickly it fails. */
const checks = (node, reports) => [
  ['Format and names', 'biome', ['check', '--error-on-warnings']],
  ['Types', 'tsc', ['-p', '.']],
  ['Lint and import direction', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['Unused code', node, [tool('knip/bin/knip.js')]],
  ['Size of the console', node, ['scripts/bytes.mjs']],
  [
    'Unit and integration',
    node,
    [
      tool('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reports}/vitest.json`,
    ],
  ],
  [
    'Browser',
    node,
    [tool('@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: `${reports}/playwright.json` },
  ],
];

await main(async () => {
  await ensureInstalled();
  await ensurePrograms();
  await ensureBuilt();
  const reports = await mkdtemp(join(tmpdir(), 'opensocial-reports-'));
  try {
    const failed = await runAll(checks(findNode(), reports));
    await report(reports);
    console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'Everything passed.');
    return failed.length > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
});

async function runAll(all) {
  const failed = [];
  for (const [name, command, args, environment] of all) {
    const start = Date.now();
    console.log(`\n── ${name}`);
    const code = await run(command, args, { env: environment ?? {} });
    console.log(`── ${name}: ${code === 0 ? 'good' : 'FAILED'} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    if (code !== 0) failed.push(name);
  }
  return failed;
}

/** One closing line over both runners. */
async function report(reports) {
  const read = async (name) => JSON.parse(await readFile(join(reports, name), 'utf8').catch(() => '{}'));
  const { numPassedTests = 0, numFailedTests = 0 } = await read('vitest.json');
  const { stats: { expected = 0, unexpected = 0, flaky = 0 } = {} } = await read('playwright.json');
  console.log(`\n${numPassedTests + expected} passed, ${numFailedTests + unexpected + flaky} failed`);
}

/** The two programs that tests drive and npm does not bring: a browser, and a second opinion on signatures. */
async function ensurePrograms() {
  const missing = [browsers[0], 'xmlsec1'].filter((program) => !isOnPath(program));
  if (missing.length > 0 && process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.log(`Installing ${missing.join(' and ')}…`);
    const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { DEBIAN_FRONTEND: 'noninteractive' } };
    await run('apt-get', ['update', '-qq'], quiet);
    for (const program of missing) await run('apt-get', ['install', '-y', '-qq', program], quiet);
  }
  if (!browsers.some(isOnPath))
    await run(findNode(), [tool('@playwright/test/cli.js'), 'install', '--only-shell', 'chromium']);
  if (!isOnPath('xmlsec1'))
    throw new Error(
      'The tests need xmlsec1: install it with your package manager (apt install xmlsec1, brew install libxmlsec1).',
    );
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}
