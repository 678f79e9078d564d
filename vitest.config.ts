import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Vitest would leave one core idle, of two.
  test: { maxWorkers: '100%', projects: ['packages/*/vitest.config.ts', 'apps/*/vitest.config.ts'] },
});
