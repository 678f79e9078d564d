import { ApiError } from '@opensocial/contract';
import { ConfigError } from './config.ts';
import { isDatabaseAway } from './database/connect.ts';
import { MigrationError } from './database/migrate.ts';

/** What stopped a start, for the person who started it: a sentence where we know the cause, else all there is. */
export const toSentence = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof ApiError) return error.message;
  if (error instanceof MigrationError)
    return [error.message, error.cause instanceof Error ? error.cause.message : ''].join('\n').trim();
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `PORT: ${address ?? ''}:${port ?? ''} is taken by another program. Stop it, or set PORT to another number.`;
  if (code === 'EACCES' && port !== undefined)
    return `PORT: this user may not listen on ${port}. Set PORT to a number above 1023.`;
  if (code === 'EADDRNOTAVAIL') return 'HOST: this machine does not have that address.';
  if (isDatabaseAway(error))
    return `DATABASE_URL: the database cannot be reached (${(error as Error).message || code}).`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
