import { DrizzleQueryError } from 'drizzle-orm';
import { type Logger, pino, stdSerializers } from 'pino';

/** JSON lines on the standard output. No request's address, header or body is ever given to it. */
export const createLog = (level: string): Logger => pino({ level, serializers: { err: withoutValues } });

/** A failed query's message holds its parameters, and among them addresses and hashes: only the database's own words are kept. */
const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error instanceof DrizzleQueryError) return withoutValues(error.cause);
  return { ...stdSerializers.err(error), message: error.message, stack: error.stack };
};
