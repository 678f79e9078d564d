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

/** For a start and for work in the background, which nobody waits for: a busy machine may take minutes. */
export const patient: Limits = {
  max: 6,
  connectionTimeoutMillis: 15_000,
  query_timeout: 600_000,
  statement_timeout: 600_000,
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

/** A statement on the path of every sign-in: built once for a database, and prepared once on each of its connections. */
export const prepared = <Statement>(build: (db: Database) => Statement): ((db: Database) => Statement) => {
  const built = new WeakMap<Database, Statement>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
};

/** Whether a value was no text or number that the database could take, such as one with a NUL character. */
export const isUnstorable = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof pg.DatabaseError && ['22021', '22P02', '22P05'].includes(cause.code ?? ''),
  );

/** Whether the database does not know a value by its name, such as a time zone. */
export const isUnknownName = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.code === '22023');

/** Whether an error is the named constraint's, which decides instead of a look before the change. */
export const violates = (error: unknown, constraint: string): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.constraint === constraint);

const socketCodes = 'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT';
/** Authorisation (28), missing database (3D), insufficient resources (53), shutdown and time-outs (57), I/O errors (58). */
const databaseCodes = '28000 28P01 3D000 53000 53200 53300 53400 57P01 57P02 57P03 57P05 57014 58000 58030';
const unreachable = new Set(`${socketCodes} ${databaseCodes}`.split(' '));
const unreachableWords = /connection terminated|timeout exceeded|timeout expired|query read timeout|connection error/i;

/** Whether an error means that the database is away or too slow, rather than that the query is wrong. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    const { code = '', syscall, message } = cause as NodeJS.ErrnoException;
    const hasNoSocket = code === 'ENOENT' && syscall === 'connect';
    return unreachable.has(code) || hasNoSocket || unreachableWords.test(message);
  });

/** Whether a transaction was rolled back because of others beside it, by a deadlock or a serialization failure: tried again, it can succeed. */
export const isConflict = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && ['40P01', '40001'].includes(cause.code ?? ''));

/** Whether PostgreSQL could not write because its disk, or the quota on it, is full. */
export const isDatabaseFull = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.code === '53100');

/**
 * Allocates about a megabyte of temporary files, which fails when the disk is full: with so little working memory the rows
 * do not fit, and PostgreSQL spills them. Nothing that is stored is touched.
 */
export const probeDisk = (db: Database): Promise<unknown> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64kB'`);
    await tx.execute(sql`select count(*) from generate_series(1, 50000)`);
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
