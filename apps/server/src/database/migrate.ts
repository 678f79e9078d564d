import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { migrationsFolder } from '../places.ts';

/** Advisory lock that keeps two servers from migrating at the same time. The number is arbitrary. */
const lock = 7_350_021;

export class MigrationError extends Error {}

type Query = <Row extends pg.QueryResultRow>(text: string, values?: string[]) => Promise<pg.QueryResult<Row>>;

/** The longest possible timer: migrating a large table takes time. */
const timeLimit = { query_timeout: 2 ** 31 - 1 };

/**
 * Migrates the database to the schema of this version. Each migration runs in one transaction, so that an interrupted
 * one leaves no changes. Statements that cannot run in a transaction are written before the line `-- transaction`, as
 * queries whose column `statement` contains the statements to run one by one. These must be idempotent.
 */
export const migrate = async (pool: pg.Pool, folder: URL = migrationsFolder): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const client = await pool.connect();
  const query: Query = (text, values) => client.query({ text, ...(values && { values }), ...timeLimit });
  try {
    await query('set statement_timeout = 0');
    await takeLock(query);
    await query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map((row) => row.name));
    assertKnown([...applied].filter((name) => !names.includes(name)));
    for (const name of names.filter((each) => !applied.has(each)))
      await apply(query, name, await readFile(new URL(name, folder), 'utf8'));
  } finally {
    // Close the connection instead of returning it to the pool, which ends its lock and its settings.
    client.release(true);
  }
};

const assertKnown = (unknown: string[]): void => {
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database is newer than this program: it knows ${unknown.join(', ')}. Update the program.`,
  );
};

/**
 * Polls the lock while another server migrates. A statement that waited for the lock would hold a snapshot, and
 * creating an index concurrently waits until all snapshots end: a deadlock.
 */
const takeLock = async (query: Query): Promise<void> => {
  const take = async () => (await query<{ taken: boolean }>(`select pg_try_advisory_lock(${lock}) as taken`)).rows[0];
  while (!(await take())?.taken) await delay(100);
};

const apply = async (query: Query, name: string, text: string): Promise<void> => {
  const parts = text.split(/^-- transaction$/m);
  const statements = parts.pop() ?? '';
  try {
    for (const part of parts) await runOutside(query, part);
  } catch (cause) {
    throw new MigrationError(`The migration ${name} failed; the next start will try it again.`, { cause });
  }
  await query('begin');
  try {
    await query(statements);
    await query('insert into migrations (name) values ($1)', [name]);
    await query('commit');
  } catch (cause) {
    await query('rollback').catch(() => undefined);
    throw new MigrationError(`The migration ${name} failed; its changes were rolled back.`, { cause });
  }
};

const runOutside = async (query: Query, queries: string): Promise<void> => {
  for (const text of queries.split(/;$/m).filter((each) => each.trim() !== '')) {
    const { rows } = await query<{ statement: string }>(text);
    for (const { statement } of rows) await query(statement);
  }
};
