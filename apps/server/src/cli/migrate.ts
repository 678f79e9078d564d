import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { open } from '../process/start.ts';
import { startupErrorMessage } from '../process/startup-error.ts';

/** What a start does before it serves, for installations that migrate in a step of its own. */
const run = async (): Promise<void> => {
  const { close } = await open(readConfig(process.env), createLog('silent'), { besideServer: true });
  await close();
};

try {
  await run();
  process.stdout.write('The database is up to date.\n');
} catch (error) {
  process.stderr.write(`${startupErrorMessage(error)}\n`);
  process.exit(1);
}
