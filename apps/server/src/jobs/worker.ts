import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { type Runner, type RunnerOptions, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Logger as Log } from 'pino';
import { toWorkerLogger } from './jobs.ts';

/** The tasks of the queue by name, and the clean-up that runs every ten minutes. The crontab below says when other tasks run. */
export type Work = { tasks: TaskList; sweep: () => Promise<void>; log: Log };

export type JobWorker = { stop: () => Promise<void> };

/**
 * No job but a backup, which has a lock of its own, runs longer. Other jobs that are locked for longer belong to a server that was killed.
 */
const maximumJobDuration = '5 minutes';

const retryDelay = 1_000;

// Graphile Worker prints the error that it ends with, in addition to logging it.
console.trace = () => undefined;

/** Runs the job queue. Mails have workers of their own, so that a mail server that answers slowly delays nothing but mails. */
export const startWorker = async (pool: pg.Pool, work: Work): Promise<JobWorker> => {
  const { send_mail: sendMail, ...others } = work.tasks;
  const rest = tasksOf(pool, { ...work, tasks: others });
  const runners = await Promise.all([
    keepRunning(pool, work.log, {
      taskList: rest,
      crontab: crontabFor(rest),
      // Metadata and backups take long, and each has a queue of its own: one worker stays free.
      concurrency: 'make_backup' in rest ? 3 : 2,
    }),
    ...(sendMail ? [keepRunning(pool, work.log, { taskList: { send_mail: sendMail }, concurrency: 4 })] : []),
  ]);
  return { stop: async () => void (await Promise.all(runners.map(({ stop }) => stop()))) };
};

/**
 * Graphile Worker stops if it cannot store the result of a job, for example while the database is down. Then a new runner is started, which
 * takes over the locked jobs.
 */
const keepRunning = async (pool: pg.Pool, log: Log, options: RunnerOptions): Promise<JobWorker> => {
  const events: WorkerEvents = new EventEmitter();
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  const begin = () => run({ ...commonOptions(pool, log), ...options, events });
  const stopped = new AbortController();
  let runner = await begin();

  const replace = async (): Promise<void> => {
    try {
      await delay(retryDelay, undefined, stopped);
      await pool.query('select graphile_worker.force_unlock_workers($1)', [[poolId]]);
      runner = await begin();
    } catch (error) {
      if (!stopped.signal.aborted)
        log.error({ err: error, part: 'jobs' }, 'The job worker failed to start and will be retried.');
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await runner.promise.catch(() => undefined);
      await replace();
    }
  };
  const watching = watch();

  const stop = async () => {
    stopped.abort();
    await end(runner);
    await watching;
    // The runner may have been replaced in the meantime.
    await end(runner);
  };
  return { stop };
};

/** `stop` rejects if the runner has already ended. */
const end = (runner: Runner): Promise<void> => runner.stop().catch(() => undefined);

/** Unlocks the jobs of servers that were killed, which would otherwise stay locked for four hours. */
export const releaseAbandonedJobs = async (pool: pg.Pool, heldFor = maximumJobDuration): Promise<void> => {
  await pool.query(
    `select graphile_worker.force_unlock_workers(array(
       select distinct locked_by from graphile_worker.jobs where locked_at <= now() - $1::interval))`,
    [heldFor],
  );
};

/**
 * Metadata is refreshed and sites are checked between two runs of the clean-up, one after the other and by one server at a time (`queue`), so
 * that a worker is always free for other jobs. Whether a backup is due is decided by its job, so that a day without servers is made up for; it may
 * take long, and has a queue of its own.
 * A run that was missed is not repeated, because the next one does its work (`max`).
 */
const crontab = [
  '* * * * * chain_audit_records ?jobKey=chain_audit_records&max=3',
  '*/10 * * * * sweep',
  '5,15,25,35,45,55 * * * * refresh_metadata ?queue=refresh_metadata&jobKey=refresh_metadata&max=1',
  '5,15,25,35,45,55 * * * * check_sites ?queue=refresh_metadata&jobKey=check_sites&max=1',
  '8,18,28,38,48,58 * * * * make_backup ?queue=make_backup&jobKey=make_backup&max=1',
  '17 6 * * * report_expiries',
  '47 6 * * * report_metadata',
];

/** The lines of the crontab for tasks that exist: nobody would do the jobs of others. */
const crontabFor = (tasks: TaskList): string =>
  crontab.filter((line) => (line.split(' ')[5] ?? '') in tasks).join('\n');

const commonOptions = (pool: pg.Pool, log: Log): RunnerOptions => ({
  pgPool: pool,
  noHandleSignals: true,
  gracefulShutdownAbortTimeout: 3_000,
  // Batching makes a failure to store a job's result stop the worker. Without it, the failure is an unhandled
  // rejection, which stops the whole server.
  preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  logger: toWorkerLogger(log),
});

const tasksOf = (pool: pg.Pool, { tasks, sweep }: Work): TaskList => ({
  ...tasks,
  sweep: async () => {
    await sweep();
    await releaseAbandonedJobs(pool);
  },
});
