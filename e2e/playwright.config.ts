import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/browser.ts';
import { demonstration, origin } from './support/world.ts';

export default defineConfig({
  testDir: 'specs',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../test-results/report.json' }],
  ],
  use: {
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    // What moves keeps a click waiting until it stands still.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test costs a third of the time: ask for one with `--trace on`.
    screenshot: 'only-on-failure',
    // No page lives long enough to earn back what optimising its scripts takes.
    launchOptions: { ...launchOptions, args: [...launchOptions.args, '--js-flags=--no-opt,--no-maglev'] },
  },
  webServer: {
    command: 'node e2e/support/server.ts',
    cwd: '..',
    // The provider comes last, when the people and sites are there.
    url: `${demonstration}/`,
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
