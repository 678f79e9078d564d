import { resolve } from 'node:path';
import { ConfigError } from '../config.ts';

/** npm runs programs in the folder of the project. Paths are those of the folder in which it was called. */
export const toPath = (given: string): string => resolve(process.env['INIT_CWD'] ?? process.cwd(), given);

/** Reads the arguments of a command. The message about wrong ones ends with its usage. */
export const parseCommand = <Result>(usage: string, work: () => Result): Result => {
  try {
    return work();
  } catch (cause) {
    throw new ConfigError(`${(cause as Error).message}\n${usage}`, { cause });
  }
};
