import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

type Started = { server: ChildProcess; address: string };

/** Starts the built server with nothing else in its environment, and waits until it is ready. `folder` has another version of it. */
export const startServer = async (
  environment: Record<string, string | undefined>,
  folder: string = join(import.meta.dirname, '..'),
): Promise<Started> => {
  const server = spawn(process.execPath, ['apps/server/dist/main.js'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  let said = '';
  for await (const words of server.stdout.iterator({ destroyOnReturn: false })) {
    said += String(words);
    if (said.includes('is ready')) break;
  }
  server.stdout.resume();
  return { server, address: /Server listening at (http:\/\/[^"]+)/.exec(said)?.[1] ?? '' };
};

export const stopServer = async (server: ChildProcess): Promise<void> => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  await ended;
};
