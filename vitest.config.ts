import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Each says `maxWorkers: '100%'` for itself, since none takes it from here: by itself, Vitest leaves one core idle, of two.
  test: {
    projects: [
      'packages/*/vitest.config.ts',
      'apps/*/vitest.config.ts',
      { test: { name: 'docs', include: ['docs/**/*.test.ts'], maxWorkers: '100%', isolate: false } },
    ],
  },
});
