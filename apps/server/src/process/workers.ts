import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { readInstallationMetrics } from '../features/metrics/metrics.service.ts';
import { readWorkerMetrics, shareMetrics, startMetrics } from '../http/metrics.ts';
import { createLog } from '../log.ts';
import { shareHashing } from '../secrets/passwords.ts';
import { open, type Server, serve, startPrimary } from './start.ts';
import { startupErrorMessage } from './startup-error.ts';
import { stopSignals } from './stop.ts';
import { createSupervisor, type Launched } from './supervisor.ts';

/** The messages between the primary process and its workers. */
type WorkerMessage = 'begin' | 'end' | 'ready' | { failed: string };

const sendMessage = (worker: Worker, message: WorkerMessage): void => {
  if (worker.isConnected()) worker.send(message);
};

/**
 * Forks a worker, which loads the program and then waits for the message to begin. It gets the port of the primary
 * process, so that PORT 0 is the same port for all.
 */
const fork = ({ port }: Config): Launched & { worker: Worker } => {
  const worker = cluster.fork({ PORT: String(port) });
  const ended = once(worker, 'exit');
  closeLostConnection(worker, ended);
  const ready = async () => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    worker.on('message', (message: WorkerMessage) => {
      if (message === 'ready') resolve();
      else if (typeof message === 'object' && 'failed' in message) reject(new ConfigError(message.failed));
    });
    void ended.then(() => reject(new Error('A worker ended before it was ready.')));
    sendMessage(worker, 'begin');
    return promise;
  };
  return { worker, ready, ended, kill: () => worker.process.kill('SIGKILL') };
};

type Handle = { close: () => void };

/**
 * Node passes a connection to a worker, and closes its own handle of it once the worker has accepted it. If the worker dies in between,
 * Node never closes the handle, and the client waits without end. Connections are passed one at a time, so closing the last one is enough.
 */
const closeLostConnection = ({ process: child }: Worker, ended: Promise<unknown>): void => {
  let last: Handle | undefined;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]) => {
    const [message, handle] = args as [{ act?: string }, Handle?];
    if (message.act === 'newconn') last = handle;
    return send(...args);
  };
  // Closing a handle again has no effect.
  void ended.then(() => last?.close());
};

/**
 * Runs several workers on one port. This primary process owns the parts that may exist only once. The workers load the
 * program while the database starts. A worker that exits is replaced.
 */
export const startWorkers = async (config: Config, log: Logger): Promise<Server> => {
  const supervisor = createSupervisor(() => fork(config), {
    onEnd: (nextIn) => log.error({ nextIn }, 'A worker has exited and will be replaced.'),
    onFailure: (error, nextIn) => log.error({ err: error, nextIn }, 'A worker failed to start and will be retried.'),
  });
  const endWorkers = async () => {
    supervisor.stop();
    await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        if (!worker || worker.isDead()) return;
        sendMessage(worker, 'end');
        await once(worker, 'exit');
      }),
    );
  };

  const workers = Array.from({ length: config.workers }, () => fork(config));
  try {
    const primary = await startPrimary(config, log);
    let metrics: { stop: () => Promise<void> } | undefined;
    const stop = async () => {
      await metrics?.stop();
      await endWorkers();
      await primary.stop();
    };
    try {
      const readMetrics = () => Promise.all([readWorkerMetrics(), readInstallationMetrics(primary.parts)]);
      metrics = await startMetrics(config, log, readMetrics);
      await Promise.all(workers.map(({ ready }) => ready()));
      supervisor.watch(workers);
      const failure = supervisor.abandoned.then(() => new ConfigError(noWorkerServes));
      return { parts: primary.parts, firstOwner: await primary.claimFirstOwner(), stop, failure };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    await endWorkers();
    throw error;
  }
};

const noWorkerServes =
  'No worker has served for five minutes; see the log for the reason. The server exits so that it can be restarted.';

/**
 * Runs in a worker. It ignores signals, because the primary process tells it when to end; without a primary process it
 * exits by itself.
 */
export const runWorker = (): void => {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  let stop: (() => Promise<void>) | undefined;
  const sendToPrimary = (message: WorkerMessage): void => void process.send?.(message);
  /** Reports the reason to the primary process, which starts another worker. */
  const fail = (error: unknown): void => {
    process.send?.({ failed: startupErrorMessage(error) } satisfies WorkerMessage, undefined, {}, () =>
      process.exit(1),
    );
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
    sendToPrimary('ready');
  };
  for (const signal of stopSignals) process.on(signal, () => undefined);
  process.on('message', (message: WorkerMessage) => {
    if (message === 'begin') start().catch(fail);
    else if (message === 'end') void Promise.resolve(stop?.()).finally(() => process.exit(0));
  });
};
