import { print, runCommand } from './run-command.ts';
import { withInstallation } from './with-installation.ts';

/** What a start does before it serves, for installations that migrate in a step of its own. */
const run = async (): Promise<void> => {
  await withInstallation(async () => undefined);
  print('The database is up to date.');
};

await runCommand(run);
