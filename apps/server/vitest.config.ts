import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'server',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/machine/global-setup.ts'],
    setupFiles: ['src/testing/machine/setup.ts'],
    maxWorkers: '100%',
    // Loading the server takes longer than most files' tests: it is loaded once for each worker.
    isolate: false,
    // Far above what a test needs, because some machines are several times slower.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
