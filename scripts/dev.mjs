import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, findNode, main, root } from './prepare.mjs';

/** The console from Vite, with everything else passed on to a server that starts again when its sources change. */
await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const node = findNode();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const environment = { WORKERS: '1', ...process.env, PUBLIC_URL: process.env.PUBLIC_URL ?? 'http://localhost:5173' };
  const parts = [
    spawn(node, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    }),
    spawn(node, [vite, '--port', '5173', '--strictPort'], { cwd: join(root, 'apps/console'), stdio: 'inherit' }),
    spawn(node, [vite, 'build', '--watch', '--logLevel', 'warn'], { cwd: join(root, 'apps/signin'), stdio: 'inherit' }),
  ];
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => parts.forEach((part) => part.kill('SIGTERM')));
  await Promise.all(parts.map((part) => new Promise((resolve) => part.on('exit', resolve))));
});
