import { spawn } from 'node:child_process';
import { ensureBuilt, ensureInstalled, findNode, main, root } from './prepare.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const server = spawn(findNode(), ['apps/server/src/main.ts'], { cwd: root, stdio: 'inherit' });
  // Ctrl-C reaches the server by itself; a signal to this process is passed on. Either way the server ends first.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => server.kill('SIGTERM'));
  return new Promise((resolve) => server.on('exit', (code) => resolve(code ?? 1)));
});
