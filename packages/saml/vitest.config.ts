import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { name: 'saml', include: ['src/**/*.test.ts'], maxWorkers: '100%', isolate: false, testTimeout: 60_000 },
});
