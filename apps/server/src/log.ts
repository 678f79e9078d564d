import { DrizzleQueryError } from 'drizzle-orm';
import pg from 'pg';
import { type Logger, pino, stdSerializers } from 'pino';

/** JSON lines on the standard output. No request's address, header or body is ever given to it. */
export const createLog = (level: string): Logger => pino({ level, serializers: { err: withoutValues } });

/** A failed query tells its parameters, and a refused row all of itself: addresses and hashes. Only the rest is kept. */
const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error instanceof DrizzleQueryError) return withoutValues(error.cause);
  if (error instanceof pg.DatabaseError) {
    const { code, constraint, table, message, stack } = error;
    return { type: 'DatabaseError', code, constraint, table, message, stack };
  }
  return { ...stdSerializers.err(error), message: error.message, stack: error.stack };
};
