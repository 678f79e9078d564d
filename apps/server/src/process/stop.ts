import { startupErrorMessage } from './startup-error.ts';

/** Ctrl-C, the signal of a process supervisor, and the signal of a closed terminal. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One second less than Docker waits before it kills a container. `SHUTDOWN_DELAY` is added. */
const secondsToStop = 9;

type Stoppable = { stop: () => Promise<void> };

/**
 * Stops on the first signal. Later signals are ignored: Ctrl-C reaches a whole process group, so the same signal
 * arrives from the terminal and again from the parent process. A start in progress is completed first and then undone.
 */
export const stopOnSignals = (starting: Promise<Stoppable>, secondsOfDelay: number): void => {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), (secondsToStop + secondsOfDelay) * 1_000).unref();
    try {
      await (await starting).stop();
      process.exit(0);
    } catch (error) {
      exitWith(error);
    }
  };
  for (const signal of stopSignals) process.on(signal, stop);
};

/** Exits with an error code, so that a supervisor such as systemd restarts the server. */
export const stopAfter = async (server: Stoppable, error: Error): Promise<void> => {
  setTimeout(() => exitWith(error), secondsToStop * 1_000).unref();
  await server.stop().catch(() => undefined);
  exitWith(error);
};

export const exitWith = (error: unknown): never => {
  process.stderr.write(`\n${startupErrorMessage(error)}\n\n`);
  process.exit(1);
};
