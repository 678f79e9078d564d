import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, findNode, main, root, run } from './prepare.mjs';

/** Runs the long tests, or those whose path contains one of the given words, and prints the figures of docs/reliability.md. */
await main(async () => {
  await ensureInstalled({ forDevelopment: true });
  await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-soak-'));
  const table = join(folder, 'figures.txt');
  try {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const parts = process.argv.slice(2).map((part) => `${part}.soak`);
    const code = await run(findNode(), [vitest, 'run', '--project', 'server', ...parts], { env: { SOAK: table } });
    console.log(`\nname: measured / goal\n${await readFile(table, 'utf8').catch(() => '')}`);
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
