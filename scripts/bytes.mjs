import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { main, root } from './prepare.mjs';

const dist = join(root, 'apps', 'console', 'dist');

/** What every screen loads. */
const shell = ['index.html', 'src/boot.ts'];

/** The maximum that a browser may have to load, in kB of compressed JavaScript. */
const budgets = [
  { name: 'The shell', most: 200, entries: shell },
  { name: 'The networks list', most: 300, entries: [...shell, 'src/features/networks/networks-list.tsx'] },
  { name: 'The overview without its chart', most: 300, entries: [...shell, 'src/features/overview/overview-page.tsx'] },
];

await main(async () => {
  const manifest = JSON.parse(await readFile(join(dist, '.vite', 'manifest.json'), 'utf8'));
  for (const { name, most, entries } of budgets) {
    const size = await sizeOf([...loadedBy(manifest, entries)]);
    console.log(`${name}: ${size.toFixed(1)} of ${most} kB`);
    if (size > most)
      throw new Error(
        `${name} takes ${(size - most).toFixed(1)} kB more than its ${most} kB of compressed JavaScript.`,
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

async function sizeOf(files) {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(dist, `${file}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
}
