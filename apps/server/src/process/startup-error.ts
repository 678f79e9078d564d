import { ApiError } from '@opensocial/contract';
import { ConfigError } from '../config.ts';
import { isDatabaseAway } from '../database/connect.ts';
import { MigrationError } from '../database/migrate.ts';
import { BackupError } from '../features/backups/backups.format.ts';

/** The message printed when a start fails: one sentence if the cause is known, otherwise the stack trace. */
export const startupErrorMessage = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof ApiError || error instanceof BackupError) return error.message;
  if (error instanceof MigrationError)
    return [error.message, error.cause instanceof Error ? error.cause.message : ''].join('\n').trim();
  if (isDatabaseAway(error)) return `DATABASE_URL: the database cannot be reached (${reasonOf(error as Error)}).`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

/** The message of the innermost cause. The outer messages may contain the text of a query. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error ? reasonOf(error.cause) : error.message || String((error as { code?: string }).code);
