import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';

/** Names sort by time. */
export const backupName = (at: Date = new Date()): string =>
  `opensocial-sso-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.gz`;

/** Whether a file was named by this program. Files with other names are never removed. */
export const isBackupName = (name: string): boolean => /^opensocial-sso-\d{8}T\d{6}Z\.tar\.gz$/.test(name);

/** The name of a backup that is not complete yet. */
export const partialName = (file: string): string => join(dirname(file), `.${basename(file)}.${randomUUID()}.partial`);

export const isPartialName = (name: string): boolean => /^\.opensocial-sso-.+\.partial$/.test(name);
