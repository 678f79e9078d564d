import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ConfigError } from '../config.ts';

type Client = Pick<pg.Client, 'query'>;

const explanation =
  'DATABASE_URL: a connection pooler gives one session of PostgreSQL to several clients in turns, which breaks locks, prepared statements and time limits. Set pool_mode = session for this database in PgBouncer, or enter the address of PostgreSQL itself.';

/** How many clients hold a session at the same time: a pooler with that many idle sessions is recognised too. */
const holders = 4;

const mark = async (client: Client): Promise<string> => {
  const value = randomUUID();
  await client.query(`select set_config('opensocial.session', $1, false)`, [value]);
  return value;
};

const readMark = async (client: Client): Promise<string | null> => {
  const { rows } = await client.query<{ value: string | null }>(
    `select current_setting('opensocial.session', true) as value`,
  );
  return rows[0]?.value ?? null;
};

/**
 * Whether clients get their sessions of the database from a pooler that takes them back after each transaction. The first client marks its
 * session. Then the others begin a transaction one after the other, each of which keeps a session: sooner or later one of them sees the mark,
 * or the first client gets a session without it.
 */
export const areSessionsShared = async (first: Client, others: readonly Client[]): Promise<boolean> => {
  const value = await mark(first);
  for (const other of others) {
    await other.query('begin');
    if ((await readMark(other)) === value || (await readMark(first)) !== value) return true;
  }
  return false;
};

/** Refuses an address of the database where sessions are shared. */
export const assertOwnSessions = async (where: pg.ClientConfig): Promise<void> => {
  const clients = Array.from(
    { length: 1 + holders },
    () => new pg.Client({ ...where, connectionTimeoutMillis: 15_000, query_timeout: 15_000 }),
  );
  const [first, ...others] = clients as [pg.Client, ...pg.Client[]];
  for (const client of clients) client.on('error', () => undefined);
  try {
    await Promise.all(clients.map((client) => client.connect()));
    if (await areSessionsShared(first, others)) throw new ConfigError(explanation);
  } catch (error) {
    // PgBouncer with pool_mode = statement refuses transactions.
    if (error instanceof pg.DatabaseError && error.code === '08P01')
      throw new ConfigError(explanation, { cause: error });
    throw error;
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
};
