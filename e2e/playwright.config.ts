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
  // Far above what a test needs on a developer's machine, because others are several times slower.
  timeout: 180_000,
  expect: { timeout: 40_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'] ?? '../test-results/report.json' }],
  ],
  use: {
    baseURL: origin,
    viewport: { width: 1440, height: 900 },
    // Numbers and times are formatted in the language of the browser.
    locale: 'en-US',
    // A moving element delays a click until it is still.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing every test takes a third of the time: use `--trace on` if needed.
    screenshot: 'only-on-failure',
    // Pages do not live long enough to benefit from optimised scripts.
    launchOptions: { ...launchOptions, args: [...launchOptions.args, '--js-flags=--no-opt,--no-maglev'] },
  },
  webServer: {
    command: 'node e2e/support/server.ts',
    cwd: '..',
    // The provider starts last, after people and sites are seeded.
    url: `${demonstration}/`,
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 120_000 },
  },
});
