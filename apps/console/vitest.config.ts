import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { ownersGuide } from './vite.plugins.ts';

export default defineConfig({
  plugins: [react(), ownersGuide()],
  test: {
    name: 'console',
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:8080/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    maxWorkers: '100%',
    isolate: false,
    testTimeout: 120_000,
    css: { modules: { classNameStrategy: 'non-scoped' } },
  },
});
