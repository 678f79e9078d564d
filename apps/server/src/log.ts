import { DrizzleQueryError } from 'drizzle-orm';
import { type DestinationStream, destination, type Logger, pino } from 'pino';

/** JSON lines on the standard output. No request's address, header or body is ever given to it. */
export const createLog = (level: string, into?: DestinationStream): Logger =>
  pino({ level, serializers: { err: withoutValues } }, into ?? destination());

/**
 * A failed query tells its parameters, a refused row all of itself, and a mail server its recipients: of each error in the
 * chain only the words and what names it are kept.
 */
const withoutValues = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error instanceof DrizzleQueryError) return withoutValues(error.cause);
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as { code?: string; constraint?: string; table?: string };
  return { type: name, code, constraint, table, message, stack, cause: withoutValues(cause) };
};
