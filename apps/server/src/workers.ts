import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { answerMetrics } from './http/metrics.ts';
import { createLog } from './log.ts';
import { shareHashing } from './secrets/passwords.ts';
import { toSentence } from './sentence.ts';
import { open, type Server, serve, startKeeper } from './start.ts';

/** What keeper and workers say to each other. */
type Word = 'begin' | 'end' | 'ready' | { failed: string };

const tell = (worker: Worker, word: Word): void => {
  if (worker.isConnected()) worker.send(word);
};

/** Done when a worker serves; fails with its own sentence, or where it ends before. */
const untilReady = (worker: Worker): Promise<void> =>
  new Promise((resolve, reject) => {
    worker.on('message', (word: Word) => {
      if (word === 'ready') resolve();
      else if (typeof word === 'object' && 'failed' in word) reject(new ConfigError(word.failed));
    });
    worker.once('exit', () => reject(new Error('A worker ended before it was ready.')));
  });

/**
 * Several processes on one port, and this one, which keeps what there may only be one of. The workers load their program
 * while the database starts. One that dies is replaced.
 */
export const startWorkers = async (config: Config, log: Logger): Promise<Server> => {
  let isStopping = false;
  const add = (): Worker => {
    const worker = cluster.fork({ PORT: String(config.port) });
    worker.on('message', (word: unknown) => answerMetrics(worker, word));
    worker.once('exit', (code, signal) => {
      if (isStopping) return;
      log.error({ worker: worker.process.pid, code, signal }, 'A worker has ended; another takes its place.');
      void replace();
    });
    return worker;
  };
  const begin = (worker: Worker): Promise<void> => {
    const ready = untilReady(worker);
    tell(worker, 'begin');
    return ready;
  };
  const replace = async (): Promise<void> => {
    await delay(1_000);
    if (!isStopping) await begin(add()).catch((error: unknown) => log.error({ err: error }, 'A worker did not start.'));
  };
  const endWorkers = async () => {
    isStopping = true;
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return;
        tell(worker, 'end');
        await once(worker, 'exit');
      }),
    );
  };

  const workers = Array.from({ length: config.workers }, add);
  try {
    const keeper = await startKeeper(config, log);
    const stop = async () => {
      await endWorkers();
      await keeper.stop();
    };
    try {
      await Promise.all(workers.map(begin));
      return { parts: keeper.parts, firstOwner: await keeper.claimFirstOwner(), stop };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await endWorkers();
    throw error;
  }
};

/** One of several. Signals are the keeper's business, which tells it when to end; without a keeper it ends by itself. */
export const runWorker = (): void => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  let stop: (() => Promise<void>) | undefined;
  const say = (word: Word): void => void process.send?.(word);

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
    say('ready');
  };
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  process.on('message', (word: Word) => {
    if (word === 'begin') start().catch((error: unknown) => say({ failed: toSentence(error) }));
    else if (word === 'end') void Promise.resolve(stop?.()).finally(() => process.exit(0));
  });
};
