import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { migrationsFolder } from '../places.ts';

/** Any number that no other program on the database uses; it keeps two servers from migrating at once. */
const lock = 7_350_021;

export class MigrationError extends Error {}

type Query = (text: string, values?: string[]) => Promise<pg.QueryResult<{ name: string }>>;

/** As long as a timer can wait: a large table takes its time, and so does another server's migration. */
const patience = { query_timeout: 2 ** 31 - 1 };

/** Brings the database to this version's schema. Each migration is one transaction, so a killed one leaves nothing. */
export const migrate = async (pool: pg.Pool, folder: URL = migrationsFolder): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const client = await pool.connect();
  const query: Query = (text, values) => client.query({ text, ...(values && { values }), ...patience });
  try {
    await query('set statement_timeout = 0');
    await query(`select pg_advisory_lock(${lock})`);
    await query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await query('select name from migrations');
    const applied = new Set(rows.map((row) => row.name));
    assertKnown([...applied].filter((name) => !names.includes(name)));
    for (const name of names.filter((each) => !applied.has(each)))
      await apply(query, name, await readFile(new URL(name, folder), 'utf8'));
  } finally {
    // Closed rather than given back: with the connection go its lock and its patience.
    client.release(true);
  }
};

const assertKnown = (unknown: string[]): void => {
  if (unknown.length === 0) return;
  throw new MigrationError(
    `The database is newer than this program: it knows ${unknown.join(', ')}. Update the program.`,
  );
};

const apply = async (query: Query, name: string, statements: string): Promise<void> => {
  await query('begin');
  try {
    await query(statements);
    await query('insert into migrations (name) values ($1)', [name]);
    await query('commit');
  } catch (cause) {
    await query('rollback').catch(() => undefined);
    throw new MigrationError(`The migration ${name} failed; nothing of it was kept.`, { cause });
  }
};
