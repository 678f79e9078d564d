import { existsSync } from 'node:fs';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, findNode, main, root, run } from './prepare.mjs';

const tool = (path) => join(root, 'node_modules', path);

/** The fastest first: the headless shell. */
const browsers = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** Each check with its name. These take about one core each and run in parallel. */
const readings = (node) => [
  ['Format and names', 'biome', ['check', '--error-on-warnings']],
  ['Types', 'tsc', ['-p', '.']],
  ['Lint and import direction', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['Unused code', node, [tool('knip/bin/knip.js')]],
  ['Size of the console', node, ['scripts/bytes.mjs']],
];

/** These use all cores. */
const trials = (node, reports) => [
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
  await ensureInstalled({ forDevelopment: true });
  await ensurePrograms();
  await ensureBuilt();
  const reports = await mkdtemp(join(tmpdir(), 'opensocial-reports-'));
  try {
    const node = findNode();
    const outcomes = [
      ...(await Promise.all(readings(node).map((check, number) => runAside(check, join(reports, `${number}.txt`))))),
      ...(await runInTurn(trials(node, reports))),
    ];
    const failed = outcomes.filter(({ isGood }) => !isGood).map(({ name }) => name);
    await report(reports);
    console.log(failed.length > 0 ? `Failed: ${failed.join(', ')}` : 'Everything passed.');
    return failed.length > 0 ? 1 : 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
});

/** The output is collected and printed at the end. */
async function runAside(check, file) {
  const output = await open(file, 'w');
  const outcome = await perform(check, { stdio: ['ignore', output.fd, output.fd] });
  await output.close();
  console.log(`\n── ${check[0]}\n${(await readFile(file, 'utf8')).trim()}\n${outcome.line}`);
  return outcome;
}

async function runInTurn(all) {
  const outcomes = [];
  for (const check of all) {
    console.log(`\n── ${check[0]}`);
    const outcome = await perform(check);
    console.log(outcome.line);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function perform([name, command, args, environment = {}], options = {}) {
  const start = Date.now();
  const isGood = (await run(command, args, { ...options, env: environment })) === 0;
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  return { name, isGood, line: `── ${name}: ${isGood ? 'good' : 'FAILED'} (${seconds} s)` };
}

/** Prints one summary of both test runners. */
async function report(reports) {
  const read = async (name) => JSON.parse(await readFile(join(reports, name), 'utf8').catch(() => '{}'));
  const { numPassedTests = 0, numFailedTests = 0 } = await read('vitest.json');
  const { stats: { expected = 0, unexpected = 0, flaky = 0 } = {} } = await read('playwright.json');
  console.log(`\n${numPassedTests + expected} passed, ${numFailedTests + unexpected + flaky} failed`);
}

/** The two programs that tests need and npm does not install: a browser, and xmlsec1 for verifying signatures. */
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
