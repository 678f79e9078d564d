import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Starts a program of this project in a process of its own, with an empty data folder. */
export const startProgram = async (file: string, settings: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-'));
  await chmod(folder, 0o711);
  const program = spawn(process.execPath, [file], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, DATA_DIR: join(folder, 'data'), ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => program.once('exit', resolve));
  // Ends the program if the test run stops early.
  process.once('exit', () => program.kill());
  let printed = '';
  return {
    /** Its output up to and including the first match. */
    printed: async (pattern: RegExp): Promise<string> => {
      for await (const chunk of program.stdout) {
        printed += String(chunk);
        if (pattern.test(printed)) return printed;
      }
      throw new Error(`${pattern} was not printed: ${printed}`);
    },
    /**
     * Stops it and returns its exit code. It gets two signals, as with Ctrl-C: from the terminal and from the parent
     * process.
     */
    stop: async (): Promise<number | null> => {
      program.kill('SIGINT');
      program.kill('SIGTERM');
      const code = await ended;
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
};

type Program = Awaited<ReturnType<typeof startProgram>>;
export type Demonstration = { origin: string; owner: string; user: string; installer: string; password: string };

/** Starts `npm run demo`, and returns what it prints for its user. */
export const startDemonstration = async (port: number): Promise<Demonstration & Pick<Program, 'stop'>> => {
  const program = await startProgram('apps/demo/src/main.ts', { PORT: String(port) });
  const printed = await program.printed(/with the password:.+\n/);
  const valueAfter = (words: string) => new RegExp(`${words}:? +(.+)`).exec(printed)?.[1] ?? '';
  return {
    origin: valueAfter('is ready'),
    owner: valueAfter('as an owner'),
    user: valueAfter('as a user'),
    installer: valueAfter('as the owner of the installation'),
    password: valueAfter('with the password'),
    stop: program.stop,
  };
};
