/** A worker process, from launch to exit. */
export type Launched = {
  /** Tells the worker to serve. Rejects with the reason if it cannot. */
  ready: () => Promise<void>;
  /** Resolves when the process has exited. */
  ended: Promise<unknown>;
  kill: () => void;
};

export type SupervisorLog = {
  /** A worker that was serving has exited. */
  onEnd: (nextIn: number) => void;
  /** A worker could not start. */
  onFailure: (error: unknown, nextIn: number) => void;
};

const firstDelay = 1_000;
const longestDelay = 30_000;

/** A worker that neither serves nor fails within this time hangs, and is killed. */
const startTimeout = 180_000;

/** If no worker serves for this long, the whole process should be restarted from outside. */
const unservedLimit = 300_000;

/**
 * Keeps workers running: a worker that exits or cannot start is launched again, with exponential backoff from 1 to 30
 * seconds, which is reset once it serves. `abandoned` resolves if no worker has served for five minutes.
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

  /** Keeps one slot filled, beginning with a worker that already serves. */
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
    /** Watches workers that already serve. */
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
