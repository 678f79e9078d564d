import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite.chunks.ts';
import { bootTags, compileHints, mantineVariables, ownersGuide, precompressed } from './vite.plugins.ts';

const served = ['/server', '/prxy', '/saml', '/oidc', '/signin', '/healthz', '/favicon.svg'];

export default defineConfig({
  plugins: [react(), mantineVariables(), ownersGuide(), bootTags(), compileHints(), precompressed()],
  build: {
    // The CSP allows no data: fonts or scripts, and files with a hash in their name are cached forever anyway.
    assetsInlineLimit: 0,
    // The import graph. `scripts/bytes.mjs` adds up the sizes and has the limits.
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    // Browsers with light-dark(). Rewritten for older browsers, it would follow the system's colour scheme instead of the chosen
    // one.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', boot: 'src/boot.ts' },
      output: {
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, 'http://127.0.0.1:8080'])),
  },
});
