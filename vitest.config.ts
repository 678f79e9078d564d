import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Each project sets `maxWorkers: '100%'` itself, because projects do not inherit it. By default Vitest leaves one core idle.
  test: {
    projects: [
      'packages/*/vitest.config.ts',
      'apps/*/vitest.config.ts',
      {
        test: { name: 'docs', include: ['docs/**/*.test.ts'], maxWorkers: '100%', isolate: false, testTimeout: 60_000 },
      },
    ],
  },
});
