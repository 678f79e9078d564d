import { defineConfig } from 'vite';

/**
 * `depd`, a dependency of the OpenID Connect library, uses `eval` to name its deprecated functions. Its text contains no input. Other
 * uses of `eval` are still reported.
 */
const isKnown = ({ code, id, loc }: { code?: string; id?: string; loc?: { file?: string } }): boolean =>
  code === 'EVAL' && /\/node_modules\/depd\//.test(id ?? loc?.file ?? '');

const commands = ['audit', 'backup', 'migrate', 'network', 'recover', 'rekey', 'restore'];
const entries = new RegExp(`/src/(?:main|cli/(?:${commands.join('|')}))\\.ts$`);

/**
 * The server and its commands, with all that they share in one file. Node would find, read and strip some thousand files at every
 * start, which takes two seconds of processor time and 150 MB. Outside stay what has native parts or files of its own.
 */
export default defineConfig({
  ssr: {
    noExternal: true,
    external: ['@node-rs/argon2', '@opensocial/signin', 'graphile-worker', 'pg', 'pino', 'sharp'],
  },
  build: {
    ssr: true,
    target: 'node24',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        ...Object.fromEntries(commands.map((name) => [`cli/${name}`, `src/cli/${name}.ts`])),
      },
      output: {
        chunkFileNames: '[name].js',
        codeSplitting: { groups: [{ name: 'server', test: (id) => !entries.test(id) }] },
      },
      onLog: (level, log, report) => {
        if (!isKnown(log)) report(level, log);
      },
    },
  },
});
