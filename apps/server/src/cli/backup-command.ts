import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { backupName } from '../features/backups/backups.names.ts';
import { parseCommand, toPath } from './command-line.ts';

const backupUsage = `Usage:
  npm run backup                        write a backup into BACKUP_DIR, or into the current folder
  npm run backup -- --to FOLDER         write it into this folder
  npm run backup -- --to FILE.tar.gz    write it to this file (.tar is not compressed)`;

const restoreUsage = `Usage:
  npm run restore -- FILE               restore a backup into an empty database
  npm run restore -- FILE --replace     delete what is in the database, and restore a backup
  npm run restore -- FILE --verify      only check that a backup is complete and undamaged`;

/** The file that `npm run backup` writes. */
export const readBackupCommand = async (args: string[], folder: string | undefined): Promise<string> => {
  const { to } = parseCommand(backupUsage, () => parseArgs({ args, options: { to: { type: 'string' } } }).values);
  if (to === undefined) return join(folder ?? toPath('.'), backupName());
  const path = toPath(to);
  const isFolder =
    to.endsWith('/') ||
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    ));
  if (isFolder) return join(path, backupName());
  if (/\.(tar|tar\.gz|tgz)$/.test(path)) return path;
  throw new ConfigError(`--to must be a folder, or a file that ends with .tar.gz or .tar.\n${backupUsage}`);
};

export type RestoreCommand = { file: string; mode: 'verify' | 'restore' | 'replace' };

export const readRestoreCommand = (args: string[]): RestoreCommand => {
  const { values, positionals } = parseCommand(restoreUsage, () =>
    parseArgs({
      args,
      options: { verify: { type: 'boolean' }, replace: { type: 'boolean' } },
      allowPositionals: true,
    }),
  );
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0 || (values.verify && values.replace)) throw new ConfigError(restoreUsage);
  return { file: toPath(file), mode: values.verify ? 'verify' : values.replace ? 'replace' : 'restore' };
};
