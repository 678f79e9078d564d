import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { afterFile } from './cleanup.ts';

/** Half of the start is compilation; this cache is shared between starts. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

type Environment = Record<string, string>;
type Options = {
  program?:
    | 'dist/main.js'
    | `dist/cli/${'audit' | 'backup' | 'migrate' | 'network' | 'recover' | 'rekey' | 'restore'}.js`;
  args?: string[];
  /** What is typed. */
  input?: string;
  uid?: number;
  gid?: number;
};
type End = { code: number | null; signal: NodeJS.Signals | null };

/** For files that start the program: this takes a second or two, and much longer on a busy machine. */
export const allowForStarts = (): void => vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

/**
 * The real program in a separate process, with nothing of our environment but the path. It is killed after the tests of
 * the file.
 */
export class ServerProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<End>;
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();

  constructor(environment: Environment, { program = 'dist/main.js', args = [], input, ...account }: Options = {}) {
    const file = fileURLToPath(new URL(`../../../${program}`, import.meta.url));
    this.#child = spawn(process.execPath, [file, ...args], {
      cwd: '/',
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compiled, PORT: '0', WORKERS: '1', ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...account,
    });
    this.#child.stdin?.end(input);
    this.#child.stdout?.on('data', (text: Buffer) => this.#hear('stdout', text));
    this.#child.stderr?.on('data', (text: Buffer) => this.#hear('stderr', text));
    this.ended = new Promise((resolve) => this.#child.once('close', (code, signal) => resolve({ code, signal })));
    afterFile(() => this.kill('SIGKILL'));
  }

  /** Starts it and waits until it is ready. */
  static async start(environment: Environment, options: Options = {}): Promise<ServerProcess> {
    const server = new ServerProcess(environment, options);
    await server.says(/is ready: /);
    return server;
  }

  /** Runs it until it exits. */
  static async run(environment: Environment, options: Options = {}): Promise<ServerProcess & End> {
    const server = new ServerProcess(environment, options);
    return Object.assign(server, await server.ended);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The address that it listens on, whatever its public URL is. */
  get address(): string {
    return /Server listening at (http:\/\/[^"]+)/.exec(this.stdout)?.[1] ?? '';
  }

  /** The lines of its log. */
  get log(): Record<string, unknown>[] {
    return this.stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until its standard output matches. */
  async says(words: RegExp): Promise<void> {
    const isOver = this.ended.then(() => 'over' as const);
    while (!words.test(this.stdout)) {
      const heard = new Promise<void>((resolve) => this.#waiting.add(resolve));
      if ((await Promise.race([heard, isOver])) === 'over' && !words.test(this.stdout))
        throw new Error(`It ended without saying ${words}:\n${this.stdout}${this.stderr}`);
    }
  }

  kill(signal: NodeJS.Signals): Promise<End> {
    this.#child.kill(signal);
    return this.ended;
  }

  #hear(stream: 'stdout' | 'stderr', text: Buffer): void {
    this[stream] += text.toString();
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
