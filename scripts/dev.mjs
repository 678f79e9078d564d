import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, findNode, main, root, run } from './prepare.mjs';

/** Serves the console with Vite, and passes everything else on to a server that restarts when its sources change. */
await main(async () => {
  await ensureInstalled({ forDevelopment: true });
  await ensureBuilt();
  const node = findNode();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const environment = { WORKERS: '1', ...process.env, PUBLIC_URL: process.env.PUBLIC_URL ?? 'http://localhost:5173' };
  const codes = await Promise.all([
    run(node, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], { env: environment }),
    run(node, [vite, '--port', '5173', '--strictPort'], { cwd: join(root, 'apps/console') }),
    run(node, [vite, 'build', '--watch', '--logLevel', 'warn'], { cwd: join(root, 'apps/signin') }),
  ]);
  return Math.max(...codes);
});
