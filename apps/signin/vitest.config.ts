import { defineConfig, mergeConfig } from 'vitest/config';
import viteConfig from './vite.config.ts';

// Without `css` the URLs of stylesheets would be empty in tests.
export default mergeConfig(
  viteConfig,
  defineConfig({ test: { css: true, maxWorkers: '100%', isolate: false, testTimeout: 60_000 } }),
);
