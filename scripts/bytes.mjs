import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { main, root } from './prepare.mjs';

const dist = join(root, 'apps', 'console', 'dist');

/** What every screen loads. */
const shell = ['index.html', 'src/boot.ts'];

/**
 * The maximum that a browser may have to load, in kB of JavaScript compressed with brotli, which the server sends to every current
 * browser. A browser that accepts only gzip loads about a sixth more; that size is printed too.
 */
const budgets = [
  { name: 'The shell', most: 168, entries: shell },
  { name: 'The desktop', most: 195, entries: [...shell, 'src/features/desktop/network-desktop.tsx'] },
  { name: 'The networks list', most: 207, entries: [...shell, 'src/features/networks/networks-list.tsx'] },
  { name: 'The users list', most: 209, entries: [...shell, 'src/features/users/users-list.tsx'] },
  { name: 'The sites list', most: 212, entries: [...shell, 'src/features/sites/sites-list.tsx'] },
  {
    name: 'The activity list',
    most: 212,
    entries: [...shell, 'src/features/activity/activity-page.tsx', 'src/features/activity/activity-list.tsx'],
  },
  { name: 'The overview without its chart', most: 212, entries: [...shell, 'src/features/overview/overview-page.tsx'] },
];

await main(async () => {
  const manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
  for (const { name, most, entries } of budgets) {
    const files = [...loadedBy(manifest, entries)];
    const [brotli, gzip] = await Promise.all([sizeOf(files, 'br'), sizeOf(files, 'gz')]);
    console.log(
      `${name}: ${brotli.toFixed(1)} of ${most} kB in ${files.length} files (${gzip.toFixed(1)} kB with gzip)`,
    );
    if (brotli > most)
      throw new Error(
        `${name} takes ${(brotli - most).toFixed(1)} kB more than its ${most} kB of compressed JavaScript.`,
      );
  }
});

/** The files of the entries and of everything that they import, each once. */
function loadedBy(manifest, entries, files = new Set()) {
  for (const entry of entries) {
    const chunk = manifest[entry];
    if (!chunk) throw new Error(`The build has no ${entry}, which scripts/bytes.mjs names.`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    loadedBy(manifest, chunk.imports ?? [], files);
  }
  return files;
}

async function sizeOf(files, encoding) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.${encoding}`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
