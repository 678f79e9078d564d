import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { convertCssVariables } from '@mantine/core';
import type { Plugin } from 'vite';
import { themeVariables } from './src/app/theme/css-variables.ts';
import { parseGuide } from './src/features/help/parse-guide.ts';

/**
 * Mantine writes its variables into a <style> element at run time, which our CSP refuses. They never change, so they are
 * a stylesheet of the build instead: `import 'virtual:mantine-variables.css'`.
 */
export const mantineVariables = (): Plugin => {
  const id = 'virtual:mantine-variables.css';
  return {
    name: 'mantine-variables',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) => (source === `\0${id}` ? convertCssVariables(themeVariables(), ':root') : undefined),
  };
};

/** The guide for owners as data, so that the console needs no Markdown parser: `import { guide } from 'virtual:guide'`. */
export const ownersGuide = (): Plugin => {
  const id = 'virtual:guide';
  const file = join(import.meta.dirname, '../../docs/owners.md');
  return {
    name: 'owners-guide',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    async load(source) {
      if (source !== `\0${id}`) return undefined;
      this.addWatchFile(file);
      return `export const guide = ${JSON.stringify(parseGuide(await readFile(file, 'utf8')))};`;
    },
  };
};

/** Replaces `<!--boot-->` by the blocking boot script and a preload of the font, with their hashed names. */
export const bootTags = (): Plugin => ({
  name: 'boot-tags',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const files = Object.values(bundle ?? {});
      const boot = files.find((file) => file.type === 'chunk' && file.name === 'boot');
      const font = files.find((file) => file.fileName.endsWith('.woff2'));
      const tags = [
        boot ? `<script src="/${boot.fileName}"></script>` : '<script type="module" src="/src/boot.ts"></script>',
        font ? `<link rel="preload" href="/${font.fileName}" as="font" type="font/woff2" crossorigin>` : '',
      ];
      return html.replace('<!--boot-->', tags.join('\n    '));
    },
  },
});

/** The chunks of which a list calls most functions while it is rendered for the first time. */
const startChunks: ReadonlySet<string> = new Set(['index', 'page', 'basics', 'list']);

/**
 * Chromium otherwise parses a script as a whole, and each of its functions again when it is first called. With this comment at the beginning of
 * the file it compiles all functions at once, beside the main thread. Other browsers ignore the comment.
 */
export const compileHints = (): Plugin => ({
  name: 'compile-hints',
  generateBundle: {
    order: 'post',
    handler: (_options, bundle) => {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && startChunks.has(file.name))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
});

/** Writes a .br and a .gz file beside every text file. The server sends them as they are. */
export const precompressed = (): Plugin => ({
  name: 'precompressed',
  apply: 'build',
  writeBundle: async ({ dir = 'dist' }) => {
    const files = await readdir(dir, { recursive: true });
    await Promise.all(
      files.filter((file) => /\.(?:html|js|css|svg)$/.test(file)).map((file) => compress(join(dir, file))),
    );
  },
});

const compress = async (file: string): Promise<void> => {
  const bytes = await readFile(file);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, brotli), writeFile(`${file}.gz`, gzipped)]);
};
