import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Runner, type RunnerOptions, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { toWorkerLogger } from './jobs.ts';

/** What the queue knows to do, by name; and what is done every ten minutes. */
export type Work = { tasks: TaskList; sweep: () => Promise<void>; log: Log };

export type JobWorker = { stop: () => Promise<void> };

/** No job of ours runs longer: one that is held for longer belongs to a server that was killed. */
const longestJob = '5 minutes';

const millisecondsBetweenTries = 1_000;

// Graphile Worker prints the error that it ends with, beside giving it to the log.
console.trace = () => undefined;

/**
 * Does the queued work, whatever happens to the database meanwhile: Graphile Worker gives up when it cannot write down how
 * a job ended. Then another one takes its place, and its jobs.
 */
export const startWorker = async (pool: pg.Pool, work: Work): Promise<JobWorker> => {
  const events: WorkerEvents = new EventEmitter();
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const begin = () => run({ ...optionsOf(pool, work), events });
  const over = new AbortController();
  let runner = await begin();

  const replace = async (): Promise<void> => {
    try {
      await delay(millisecondsBetweenTries, undefined, over);
      await pool.query('select graphile_worker.force_unlock_workers($1)', [[poolId]]);
      runner = await begin();
    } catch (error) {
      if (!over.signal.aborted)
        work.log.error({ err: error, part: 'jobs' }, 'The job worker does not start; it is tried again.');
    }
  };
  const watch = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await runner.promise.catch(() => undefined);
      await replace();
    }
  };
  const watching = watch();

  const stop = async () => {
    over.abort();
    await end(runner);
    await watching;
    // It may have been replaced in the same moment.
    await end(runner);
  };
  return { stop };
};

/** One that has ended already says so by failing. */
const end = (runner: Runner): Promise<void> => runner.stop().catch(() => undefined);

/** Gives back the jobs of servers that were killed, which would otherwise be held for four hours. */
export const releaseAbandonedJobs = async (pool: pg.Pool, heldFor = longestJob): Promise<void> => {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array(
       select distinct locked_by from graphile_worker.jobs where locked_at <= now() - $1::interval))`,
    [heldFor],
  );
};

const optionsOf = (pool: pg.Pool, work: Work): RunnerOptions => ({
  pgPool: pool,
  taskList: tasksOf(pool, work),
  crontab: '*/10 * * * * sweep',
  concurrency: 2,
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: 3_000,
  // Written in batches, even of one, a job's end that cannot be written stops the worker; by itself it is an unhandled
  // rejection, which stops the whole server.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  logger: toWorkerLogger(work.log),
});

const tasksOf = (pool: pg.Pool, { tasks, sweep }: Work): TaskList => ({
  ...tasks,
  sweep: async () => {
    await sweep();
    await releaseAbandonedJobs(pool);
  },
});
