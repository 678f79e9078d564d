import { defineConfig } from 'vite';

export default defineConfig({
  base: '/signin/',
  // React is bundled in its production build, so that rendering is fast whatever NODE_ENV of the server is.
  define: { 'process.env.NODE_ENV': '"production"' },
  ssr: { noExternal: true },
  build: {
    ssr: 'src/index.ts',
    ssrEmitAssets: true,
    target: 'node24',
    cssTarget: ['chrome111', 'firefox114', 'safari16.4'],
    assetsInlineLimit: 0,
  },
});
