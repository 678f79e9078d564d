import { readConfig } from '../config.ts';
import { makeBackup } from '../features/backups/backups.make.service.ts';
import { openSource } from '../features/backups/backups.source.service.ts';
import { startupErrorMessage } from '../process/startup-error.ts';
import { readBackupCommand } from './backup-command.ts';
import { describeBackup } from './describe-backup.ts';

const run = async (): Promise<string> => {
  const config = readConfig(process.env);
  const file = await readBackupCommand(process.argv.slice(2), config.backups.folder);
  const { source, close } = await openSource(config);
  try {
    const made = await makeBackup(source, file);
    return [`${made.file} is complete.`, ...describeBackup(made.manifest, made.bytes)].join('\n');
  } finally {
    await close();
  }
};

try {
  process.stdout.write(`${await run()}\n`);
} catch (error) {
  process.stderr.write(`${startupErrorMessage(error)}\n`);
  process.exit(1);
}
