import type { Manifest } from '../features/backups/backups.format.ts';
import { count } from './count.ts';

/** What a backup contains, and what has to be known about it. */
export const describeBackup = (manifest: Manifest, bytes: number): string[] => {
  const { created_at, version, postgres, tables, media, missing_media, secret_key, waiting_mails } = manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const contents = [
    count(rows, 'row', 'rows'),
    `of ${count(tables.length, 'table', 'tables')}`,
    `and ${count(media.length, 'file', 'files')},`,
    `${(bytes / 1_000_000).toFixed(1)} MB`,
  ].join(' ');
  return [
    `Made ${created_at} by version ${version} with PostgreSQL ${postgres}: ${contents}.`,
    ...(missing_media.length > 0
      ? [
          `Missing in the storage of images: ${missing_media.slice(0, 10).join(', ')}${missing_media.length > 10 ? ', …' : ''}.`,
        ]
      : []),
    ...(waiting_mails > 0
      ? [`${count(waiting_mails, 'email was', 'emails were')} waiting to be sent. Emails are not part of a backup.`]
      : []),
    'It contains everything about people, sites and settings, including hashed passwords and encrypted secrets.',
    secret_key.sha256 === null
      ? `It does not contain the secret key${secret_key.needed.length > 0 ? ` (${secret_key.needed.join(', ')})` : ''}: keep a copy of the key elsewhere, because the backup is of no use without it.`
      : 'It also contains the secret key, so whoever has the file can decrypt these secrets. Store it encrypted, where only you can read it.',
  ];
};
