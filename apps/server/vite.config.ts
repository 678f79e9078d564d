import { defineConfig } from 'vite';

/**
 * The server in one file. Node would find, read and strip some thousand files at every start, which takes two seconds of
 * processor time and 150 MB. Outside stay what has native parts or files of its own.
 */
export default defineConfig({
  ssr: {
    noExternal: true,
    external: ['@node-rs/argon2', '@opensocial/signin', 'graphile-worker', 'pg', 'pino', 'sharp'],
  },
  build: {
    ssr: 'src/main.ts',
    target: 'node24',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
