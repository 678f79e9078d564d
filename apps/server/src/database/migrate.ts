import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

const folder = new URL('./migrations/', import.meta.url);

/** Any number that no other program on the database uses; it keeps two servers from migrating at once. */
const lock = 7_350_021;

export class MigrationError extends Error {}

/** Brings the database to this version's schema. Each migration is one transaction, so a killed one leaves nothing. */
export const migrate = async (pool: pg.Pool): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lock]);
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string }>('select name from migrations');
    const applied = new Set(rows.map((row) => row.name));
    const unknown = [...applied].filter((name) => !names.includes(name));
    if (unknown.length > 0) {
      throw new MigrationError(
        `The database is newer than this program: it knows ${unknown.join(', ')}. Update the program.`,
      );
    }
    for (const name of names.filter((each) => !applied.has(each))) await apply(client, name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lock]).catch(() => undefined);
    client.release();
  }
};

const apply = async (client: pg.PoolClient, name: string): Promise<void> => {
  const statements = await readFile(new URL(name, folder), 'utf8');
  await client.query('begin');
  try {
    await client.query(statements);
    await client.query('insert into migrations (name) values ($1)', [name]);
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback');
    throw new MigrationError(`The migration ${name} failed; nothing of it was kept.`, { cause });
  }
};
