import { type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import * as schema from './schema.ts';

export type Database = NodePgDatabase<typeof schema> & { $client: pg.Pool };
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** What a query needs: the database, or a transaction on it. */
export type Queryable = Database | Transaction;

export type Connection = { db: Database; pool: pg.Pool; close: () => Promise<void> };

type Limits = { max: number; connectionTimeoutMillis: number; query_timeout: number; statement_timeout: number };

/** For requests: a database that is gone, or hangs, has to be answered as 503 within seconds. */
const hurried: Limits = { max: 20, connectionTimeoutMillis: 3_000, query_timeout: 5_000, statement_timeout: 5_000 };

/** For work that nobody waits for. */
export const patient: Limits = {
  max: 6,
  connectionTimeoutMillis: 5_000,
  query_timeout: 120_000,
  statement_timeout: 120_000,
};

export const connect = (
  where: pg.ClientConfig,
  onError: (error: Error) => void,
  limits: Limits = hurried,
): Connection => {
  const pool = new pg.Pool({ ...where, ...limits, keepAlive: true });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const db = drizzle(pool, { schema });
  return { pool, db: Object.assign(db, { transaction: transactionOn(pool) }), close: () => pool.end() };
};

/**
 * Drizzle's own would keep a connection whose `begin` failed for ever, and hand on one whose `rollback` was never
 * answered: whatever the next request wrote there would be part of a transaction that nobody commits.
 */
const transactionOn =
  (pool: pg.Pool): Database['transaction'] =>
  async (work, config) => {
    const client = await pool.connect();
    try {
      const result = await drizzle(client, { schema }).transaction(work, config);
      client.release();
      return result;
    } catch (error) {
      client.release(isDatabaseAway(error));
      throw error;
    }
  };

/** Whether a value was no text or number that the database could take, such as one with a NUL character. */
export const isUnstorable = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof pg.DatabaseError && ['22021', '22P02', '22P05'].includes(cause.code ?? ''),
  );

/** Whether an error is the named constraint's, which decides instead of a look before the change. */
export const violates = (error: unknown, constraint: string): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.constraint === constraint);

/** What a socket says, and what PostgreSQL says of itself, of who may come in, and of how long a query took. */
const socketCodes = 'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT';
const databaseCodes = '28000 28P01 3D000 53300 57P01 57P02 57P03 57014';
const unreachable = new Set(`${socketCodes} ${databaseCodes}`.split(' '));
const unreachableWords = /connection terminated|timeout exceeded|query read timeout|connection error/i;

/** Whether an error means that the database is away or too slow, rather than that the query is wrong. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    const { code = '', syscall, message } = cause as NodeJS.ErrnoException;
    const hasNoSocket = code === 'ENOENT' && syscall === 'connect';
    return unreachable.has(code) || hasNoSocket || unreachableWords.test(message);
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
