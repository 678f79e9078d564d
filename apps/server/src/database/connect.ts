import { type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as schema from './schema.ts';

export type Database = NodePgDatabase<typeof schema>;
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** What a query needs: the database, or a transaction on it. */
export type Queryable = Database | Transaction;

export type Connection = { db: Database; pool: pg.Pool; close: () => Promise<void> };

/** A dead database must answer as 503 within seconds, so nothing here waits for long. */
const limits = {
  max: 20,
  connectionTimeoutMillis: 3_000,
  query_timeout: 15_000,
  statement_timeout: 15_000,
  keepAlive: true,
};

export const connect = (where: pg.ClientConfig, onError: (error: Error) => void): Connection => {
  const pool = new pg.Pool({ ...where, ...limits });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return { pool, db: drizzle(pool, { schema }), close: () => pool.end() };
};

/** Whether a value was no text or number that the database could take, such as one with a NUL character. */
export const isUnstorable = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof pg.DatabaseError && ['22021', '22P02', '22P05'].includes(cause.code ?? ''),
  );

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '28000',
  '28P01',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57014',
]);

/** Whether an error means that the database is away or too slow, rather than that the query is wrong. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    const { code, message } = cause as { code?: string; message: string };
    return unreachable.has(code ?? '') || /connection terminated|timeout exceeded|query read timeout/i.test(message);
  });

const causesOf = (error: unknown): Error[] =>
  error instanceof AggregateError
    ? [error, ...error.errors.flatMap(causesOf)]
    : error instanceof Error
      ? [error, ...causesOf(error.cause)]
      : [];

/**
 * A subquery among the selected columns. Selecting from one table, Drizzle drops the table's name from columns that stand
 * in an expression directly, and a subquery would then take them for its own.
 */
export const nested = <T>(subquery: SQL): SQL<T> => sql<T>`${subquery}`;
