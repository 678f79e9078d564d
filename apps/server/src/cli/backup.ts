import { readConfig } from '../config.ts';
import { makeBackup } from '../features/backups/backups.make.service.ts';
import { openSource } from '../features/backups/backups.source.service.ts';
import { readBackupCommand } from './backup-command.ts';
import { describeBackup } from './describe-backup.ts';
import { print, runCommand } from './run-command.ts';

const run = async (): Promise<void> => {
  const config = readConfig(process.env);
  const file = await readBackupCommand(process.argv.slice(2), config.backups.folder);
  const { source, close } = await openSource(config);
  try {
    const made = await makeBackup(source, file);
    print(`${made.file} is complete.`);
    describeBackup(made.manifest, made.bytes).forEach(print);
  } finally {
    await close();
  }
};

await runCommand(run);
