import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { bootTags, mantineVariables, precompressed } from './vite.plugins.ts';

const served = ['/server', '/prxy', '/saml', '/signin', '/healthz', '/favicon.svg'];

export default defineConfig({
  plugins: [react(), mantineVariables(), bootTags(), precompressed()],
  build: {
    // The CSP allows no data: fonts or scripts, and a file that is asked for by its hash is cached for ever anyway.
    assetsInlineLimit: 0,
    // What imports what: `scripts/bytes.mjs` adds it up.
    manifest: true,
    // Browsers that know light-dark(): rewritten for older ones it would heed the system's scheme and not the chosen one.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: 'index.html', boot: 'src/boot.ts' } },
  },
  server: {
    proxy: Object.fromEntries(served.map((path) => [path, 'http://127.0.0.1:8080'])),
  },
});
