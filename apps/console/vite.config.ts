import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootTags, mantineVariables, precompressed } from './vite.plugins.ts';

const served = ['/server', '/prxy', '/saml', '/signin', '/healthz', '/favicon.svg'];

export default defineConfig({
  plugins: [react(), mantineVariables(), bootTags(), precompressed()],
  build: {
    // The CSP allows no data: fonts or scripts, and a file that is asked for by its hash is cached for ever anyway.
    assetsInlineLimit: 0,
    // What imports what: `scripts/bytes.mjs` adds it up, and has the limits.
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    // Browsers that know light-dark(): rewritten for older ones it would heed the system's scheme and not the chosen one.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', boot: 'src/boot.ts' },
      output: {
        // By itself the bundler makes a file of whatever two screens share: seventy for a list. What every screen loads is one
        // file, what many share another. `boot.ts` stays alone, a classic script.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], test: (id) => !id.endsWith('/boot.ts'), priority: 1 },
            { name: 'parts', minShareCount: 8 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, 'http://127.0.0.1:8080'])),
  },
});
