import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { readWorkerMetrics, shareMetrics, startMetrics } from '../http/metrics.ts';
import { createLog } from '../log.ts';
import { shareHashing } from '../secrets/passwords.ts';
import { open, type Server, serve, startKeeper } from './start.ts';
import { startupErrorMessage } from './startup-error.ts';
import { stopSignals } from './stop.ts';
import { createSupervisor, type Launched } from './supervisor.ts';

/** What keeper and workers say to each other. */
type Word = 'begin' | 'end' | 'ready' | { failed: string };

const tell = (worker: Worker, word: Word): void => {
  if (worker.isConnected()) worker.send(word);
};

/**
 * Forks a worker, which loads its program and then waits for the word to begin. Its port is the keeper's own, so that PORT 0
 * is the same for all.
 */
const fork = ({ port }: Config): Launched & { worker: Worker } => {
  const worker = cluster.fork({ PORT: String(port) });
  const ended = once(worker, 'exit');
  const ready = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('message', (word: Word) => {
      if (word === 'ready') resolve();
      else if (typeof word === 'object' && 'failed' in word) reject(new ConfigError(word.failed));
    });
    void ended.then(() => reject(new Error('A worker ended before it was ready.')));
    tell(worker, 'begin');
    return promise;
  };
  return { worker, ready, ended, kill: () => worker.process.kill('SIGKILL') };
};

/**
 * Several processes on one port, and this one, the keeper, which has what there may only be one of. The workers load their
 * program while the database starts. One that ends is replaced.
 */
export const startWorkers = async (config: Config, log: Logger): Promise<Server> => {
  const supervisor = createSupervisor(() => fork(config), {
    onEnd: (nextIn) => log.error({ nextIn }, 'A worker has ended; another takes its place.'),
    onFailure: (error, nextIn) => log.error({ err: error, nextIn }, 'A worker did not start; it is tried again.'),
  });
  const endWorkers = async () => {
    supervisor.stop();
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return;
        tell(worker, 'end');
        await once(worker, 'exit');
      }),
    );
  };

  const workers = Array.from({ length: config.workers }, () => fork(config));
  try {
    const keeper = await startKeeper(config, log);
    let metrics: { stop: () => Promise<void> } | undefined;
    const stop = async () => {
      await metrics?.stop();
      await endWorkers();
      await keeper.stop();
    };
    try {
      metrics = await startMetrics(config, log, readWorkerMetrics);
      await Promise.all(workers.map(({ ready }) => ready()));
      supervisor.watch(workers);
      const failure = supervisor.abandoned.then(() => new ConfigError(nothingServes));
      return { parts: keeper.parts, firstOwner: await keeper.claimFirstOwner(), stop, failure };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await endWorkers();
    throw error;
  }
};

const nothingServes = 'No worker could serve for five minutes; the log says why. The server ends, to be started again.';

/** One of several. Signals are the keeper's business, which tells it when to end; without a keeper it ends by itself. */
export const runWorker = (): void => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  let stop: (() => Promise<void>) | undefined;
  const say = (word: Word): void => void process.send?.(word);
  /** Tells the keeper why, which starts another process. */
  const fail = (error: unknown): void => {
    process.send?.({ failed: startupErrorMessage(error) } satisfies Word, undefined, {}, () => process.exit(1));
  };

  const start = async (): Promise<void> => {
    shareHashing(config.workers);
    const { parts, close } = await open(config, log, { besideServer: true });
    const served = await serve(parts).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    stop = async () => {
      await served.stop();
      await close();
    };
    shareMetrics(served.metrics);
    say('ready');
  };
  for (const signal of stopSignals) process.on(signal, () => undefined);
  process.on('message', (word: Word) => {
    if (word === 'begin') start().catch(fail);
    else if (word === 'end') void Promise.resolve(stop?.()).finally(() => process.exit(0));
  });
};
