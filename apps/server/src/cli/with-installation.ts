import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { type Opened, open } from '../process/start.ts';

/** Does the work of a command with database and keys, also beside a running server. */
export const withInstallation = async <Result>(work: (opened: Opened) => Promise<Result>): Promise<Result> => {
  const opened = await open(readConfig(process.env), createLog('silent'), { besideServer: true });
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
};
