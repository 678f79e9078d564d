import { stat } from 'node:fs/promises';
import { readConfig } from '../config.ts';
import { restoreBackup, verifyBackup } from '../features/backups/backups.restore.service.ts';
import { openTarget } from '../features/backups/backups.source.service.ts';
import { readRestoreCommand } from './backup-command.ts';
import { confirm } from './confirm.ts';
import { describeBackup } from './describe-backup.ts';
import { print, runCommand } from './run-command.ts';

const run = async (): Promise<void> => {
  const { file, mode } = readRestoreCommand(process.argv.slice(2));
  if (mode === 'verify') {
    const { manifest } = await verifyBackup(file);
    print(`${file} is complete and undamaged.`);
    describeBackup(manifest, (await stat(file)).size).forEach(print);
    return;
  }
  const config = readConfig(process.env);
  const { target, close } = await openTarget(config);
  const where = config.databaseUrl ? 'the database of DATABASE_URL' : `the database in ${config.dataDir}`;
  try {
    const { waiting_mails } = await restoreBackup(file, target, {
      mayReplace: async () =>
        mode === 'replace' &&
        (await confirm(`Everything in ${where} will be deleted and replaced by the backup.`, 'replace')),
      report: print,
    });
    print(`${file} is restored. Start the server.`);
    print('Everybody has to sign in again, because sessions are not part of a backup.');
    if (waiting_mails > 0)
      print(
        `Emails that were waiting when the backup was made are not sent: ${waiting_mails.toLocaleString('en')}. The timeline of a user shows them as not sent.`,
      );
  } finally {
    await close();
  }
};

await runCommand(run);
