import { startupErrorMessage } from '../process/startup-error.ts';

export const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs a command to its end. The exit code is 1 if it returns false or fails; the reason is printed to standard error. */
export const runCommand = async (run: () => Promise<boolean | void>): Promise<void> => {
  try {
    process.exitCode = (await run()) === false ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${startupErrorMessage(error)}\n`);
    // A failed command may leave connections open, which would keep the process running.
    process.exit(1);
  }
};
