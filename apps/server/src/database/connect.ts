import { type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';

export type Database = NodePgDatabase & { $client: pg.Pool };
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0];
/** The database or a transaction, on which a query runs. */
export type Queryable = Database | Transaction;

export type Connection = { db: Database; pool: pg.Pool; close: () => Promise<void> };

type Limits = { max: number; connectionTimeoutMillis: number; query_timeout: number; statement_timeout: number };

/** For requests: if the database is gone or hangs, the client must get a 503 within seconds. */
const requestLimits: Limits = {
  max: 20,
  connectionTimeoutMillis: 3_000,
  query_timeout: 5_000,
  statement_timeout: 5_000,
};

/** For startup and background work, which no client waits for: a busy machine may take minutes. */
export const backgroundLimits: Limits = {
  max: 6,
  connectionTimeoutMillis: 15_000,
  query_timeout: 600_000,
  statement_timeout: 600_000,
};

/** For queries in a transaction that somebody else has begun on a connection. */
export const queryableOn = (client: pg.Client): Queryable => drizzle(client) as NodePgDatabase as Database;

export const connect = (
  where: pg.ClientConfig,
  onError: (error: Error) => void,
  limits: Limits = requestLimits,
): Connection => {
  const { statement_timeout, ...others } = limits;
  // A statement, because PgBouncer refuses or ignores it as a parameter of the connection.
  const onConnect = (client: pg.ClientBase) => client.query(`set statement_timeout = ${statement_timeout}`);
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, although its types do not say so
  const pool = new pg.Pool({ ...where, ...others, keepAlive: true, onConnect });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const db = drizzle(pool);
  return { pool, db: Object.assign(db, { transaction: transactionOn(pool) }), close: () => pool.end() };
};

/**
 * Replaces Drizzle's own `transaction`, which leaks a connection whose `begin` failed, and returns a connection to the
 * pool whose `rollback` was never acknowledged: the next request would then write into a transaction that is never
 * committed.
 */
const transactionOn =
  (pool: pg.Pool): Database['transaction'] =>
  async (work, config) => {
    const client = await pool.connect();
    try {
      const result = await drizzle(client).transaction(work, config);
      client.release();
      return result;
    } catch (error) {
      client.release(isDatabaseAway(error));
      throw error;
    }
  };

/** For statements on the path of every sign-in: built once per database, and prepared once per connection. */
export const prepared = <Statement>(build: (db: Database) => Statement): ((db: Database) => Statement) => {
  const built = new WeakMap<Database, Statement>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
};

/** Whether the database could not represent a value, such as a string with a NUL character. */
export const isUnstorable = (error: unknown): boolean =>
  causesOf(error).some(
    (cause) => cause instanceof pg.DatabaseError && ['22021', '22P02', '22P05'].includes(cause.code ?? ''),
  );

/** Whether the database does not know a name in a value, such as a time zone. */
export const isUnknownName = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.code === '22023');

/**
 * Whether an error comes from the named constraint. Callers rely on constraints instead of checking before they write.
 */
export const violates = (error: unknown, constraint: string): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.constraint === constraint);

const socketCodes = 'ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT';
/** Authorisation (28) and missing database (3D). */
const refusalCodes = '28000 28P01 3D000';
/** Read-only, as after a switch to a standby (25), insufficient resources (53), shutdown and timeouts (57), I/O errors (58). */
const databaseCodes = '25006 53000 53200 53300 53400 57P01 57P02 57P03 57P05 57014 58000 58030';
const unreachable = new Set(`${socketCodes} ${refusalCodes} ${databaseCodes}`.split(' '));
const refusals = new Set(refusalCodes.split(' '));
const unreachableWords = /connection terminated|timeout exceeded|timeout expired|query read timeout|connection error/i;

/** Whether an error means that the database is unavailable or too slow, rather than that the query is wrong. */
export const isDatabaseAway = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    const { code = '', syscall, message } = cause as NodeJS.ErrnoException;
    const hasNoSocket = code === 'ENOENT' && syscall === 'connect';
    return unreachable.has(code) || hasNoSocket || unreachableWords.test(message);
  });

/** Whether the database answers, but does not accept this user or has no such database. */
export const isRefused = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && refusals.has(cause.code ?? ''));

/** Whether a transaction was rolled back because of a deadlock or a serialization failure. A retry can succeed. */
export const isConflict = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && ['40P01', '40001'].includes(cause.code ?? ''));

/** Whether a row refers to one that does not exist: somebody deleted it after it was read. */
export const isOrphaned = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.code === '23503');

/** Whether PostgreSQL could not write because its disk or quota is full. */
export const isDatabaseFull = (error: unknown): boolean =>
  causesOf(error).some((cause) => cause instanceof pg.DatabaseError && cause.code === '53100');

/**
 * Makes PostgreSQL write about a megabyte of temporary files, which fails if the disk is full: with so little working
 * memory the rows spill to disk. Stored data is not touched.
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
 * Wraps a subquery that is used as a selected column. When selecting from a single table, Drizzle omits the table name
 * of columns directly inside an expression, and the subquery would resolve them to its own tables.
 */
export const nested = <T>(subquery: SQL): SQL<T> => sql<T>`${subquery}`;
