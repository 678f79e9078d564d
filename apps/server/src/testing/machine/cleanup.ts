type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** Registers clean-up after the tests of the file. It runs in reverse order. */
export const afterFile = (cleanup: Cleanup): void => void cleanups.push(cleanup);

export const runCleanups = async (): Promise<void> => {
  for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) await cleanup();
};
