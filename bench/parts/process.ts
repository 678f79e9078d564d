import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, type Result } from '../report.ts';
import { startServer } from '../world.ts';

const starts = 5;

/**
 * Measures from `npm start`, in an installed and built clone with a database, until it serves; and its memory when
 * idle.
 */
export const measureProcess = async (): Promise<Result[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'opensocial-start-'));
  await chmod(folder, 0o711);
  const startIn = (workers: string, program?: string[]) => startServer({ DATA_DIR: folder, WORKERS: workers }, program);
  const timeOf = async (workers: string): Promise<number> => {
    const taken: number[] = [];
    for (let turn = 0; turn < starts; turn += 1) {
      const server = await startIn(workers, ['scripts/start.mjs']);
      taken.push(server.millisecondsToStart);
      await server.stop();
    }
    return median(taken) / 1_000;
  };
  try {
    await (await startIn('1')).stop();
    const [one, two] = [await timeOf('1'), await timeOf('2')];
    const server = await startIn('1');
    await fetch(`${server.address}/`);
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const megabytes = await server.megabytes();
    await server.stop();
    return [
      { what: 'npm start to ready, one process', measured: `${one.toFixed(2)} s`, goal: '≤ 3 s', isMet: one <= 3 },
      { what: 'npm start to ready, two workers', measured: `${two.toFixed(2)} s`, goal: '≤ 3 s', isMet: two <= 3 },
      {
        what: 'memory at rest, one process',
        measured: `${megabytes.toFixed(0)} MB`,
        goal: '≤ 200 MB',
        isMet: megabytes <= 200,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
