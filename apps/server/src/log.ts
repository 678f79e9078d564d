import { DrizzleQueryError } from 'drizzle-orm';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** Logs JSON lines to standard output. URLs, headers and bodies of requests are never logged. */
export const createLog = (level: string, into?: DestinationStream): Logger =>
  pino({ level, serializers: { err: withoutValues } }, into ?? destination());

/**
 * Removes values from errors: a failed query contains its parameters, a constraint violation the whole row, and an SMTP
 * error the recipients. Only message, name and codes of each error in the chain are kept.
 */
const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error instanceof DrizzleQueryError) return withoutValues(error.cause);
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as { code?: string; constraint?: string; table?: string };
  return { type: name, code, constraint, table, message, stack, cause: withoutValues(cause) };
};
