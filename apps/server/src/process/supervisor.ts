/** A worker process, from its launch to its end. */
export type Launched = {
  /** Has it begin to serve. Rejects with the reason where it cannot. */
  ready: () => Promise<void>;
  /** Settles when the process has ended. */
  ended: Promise<unknown>;
  kill: () => void;
};

export type SupervisorLog = {
  /** A worker that served has ended. */
  onEnd: (nextIn: number) => void;
  /** A worker could not start. */
  onFailure: (error: unknown, nextIn: number) => void;
};

const firstDelay = 1_000;
const longestDelay = 30_000;

/** A worker that neither serves nor fails within this time hangs, and is killed. */
const startTimeout = 180_000;

/** With no worker serving for this long, the process had better be started anew from outside. */
const unservedLimit = 300_000;

/**
 * Keeps workers running: one that ends or cannot start is launched again, with exponential backoff from one second to
 * thirty, which is reset once it serves. `abandoned` settles where for five minutes no worker has served at all.
 */
export const createSupervisor = (launch: () => Launched, { onEnd, onFailure }: SupervisorLog) => {
  let isStopping = false;
  let serving = 0;
  let watchdog: NodeJS.Timeout | undefined;
  const abandoned = Promise.withResolvers<void>();

  const countServing = (change: 1 | -1) => {
    serving += change;
    clearTimeout(watchdog);
    if (serving === 0 && !isStopping) watchdog = setTimeout(abandoned.resolve, unservedLimit);
  };

  /** One place among the workers, first taken by a worker that serves already. */
  const keep = async (first: Launched): Promise<void> => {
    await serveUntilEnd(first);
    for (let failures = 0; ; failures += 1) {
      await pause(delayAfter(failures));
      if (isStopping) return;
      const worker = launch();
      if (!(await hasStarted(worker, (error) => onFailure(error, delayAfter(failures + 1))))) continue;
      await serveUntilEnd(worker);
      failures = -1;
    }
  };

  const serveUntilEnd = async ({ ended }: Launched): Promise<void> => {
    countServing(1);
    await ended;
    countServing(-1);
    if (!isStopping) onEnd(delayAfter(0));
  };

  const hasStarted = async (worker: Launched, report: (error: unknown) => void): Promise<boolean> => {
    const timer = setTimeout(worker.kill, startTimeout);
    try {
      await worker.ready();
      return true;
    } catch (error) {
      if (!isStopping) report(error);
      worker.kill();
      await worker.ended;
      return false;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    /** Watches over workers that serve. */
    watch: (workers: Launched[]): void => workers.forEach((worker) => void keep(worker)),
    abandoned: abandoned.promise,
    stop: (): void => {
      isStopping = true;
      clearTimeout(watchdog);
    },
  };
};

const delayAfter = (failures: number): number => Math.min(firstDelay * 2 ** failures, longestDelay);

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());
