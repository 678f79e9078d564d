import { defineConfig } from 'vitest/config';

/** `npm run soak` runs the long tests, and `npm test` all others. */
const isSoak = process.env['SOAK'] !== undefined;
const soakTests = 'src/**/*.soak.test.ts';

export default defineConfig({
  test: {
    name: 'server',
    include: [isSoak ? soakTests : 'src/**/*.test.ts'],
    exclude: isSoak ? [] : [soakTests],
    globalSetup: ['src/testing/machine/global-setup.ts'],
    setupFiles: ['src/testing/machine/setup.ts'],
    // The long tests measure times, so one runs after the other.
    maxWorkers: isSoak ? 1 : '100%',
    // Loading the server takes longer than most files' tests: it is loaded once for each worker.
    isolate: false,
    // Far above what a test needs, because some machines are several times slower.
    testTimeout: isSoak ? 1_800_000 : 120_000,
    hookTimeout: 180_000,
  },
});
