import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { migrationsFolder } from '../places.ts';

/** Advisory lock that keeps two servers from migrating at the same time. The number is arbitrary. */
const lock = 7_350_021;

export class MigrationError extends Error {}

type Query = <Row extends pg.QueryResultRow>(text: string, values?: (string | null)[]) => Promise<pg.QueryResult<Row>>;

/** The longest possible timer: migrating a large table takes time. */
const timeLimit = { query_timeout: 2 ** 31 - 1 };

/**
 * Migrates the database to the schema of this version. Each migration runs in one transaction, so that an interrupted
 * one leaves no changes. Statements that cannot run in a transaction are written before the line `-- transaction`, as
 * queries whose column `statement` contains the statements to run one by one. These must be idempotent. A restore applies only the
 * migrations of its backup at first.
 */
export const migrate = async (
  pool: pg.Pool,
  folder: URL = migrationsFolder,
  { only, isRestore = false }: { only?: readonly string[]; isRestore?: boolean } = {},
): Promise<void> => {
  const names = (await listMigrations(folder)).filter((name) => !only || only.includes(name));
  const client = await pool.connect();
  const query: Query = (text, values) => client.query({ text, ...(values && { values }), ...timeLimit });
  try {
    await query('set statement_timeout = 0');
    await takeLock(query);
    await query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    await query('alter table migrations add column if not exists compatible_since text');
    const { rows } = await query<Applied>('select name, compatible_since from migrations order by name');
    const applied = new Set(rows.map(({ name }) => name));
    if (!isRestore && applied.has(restoreMark)) throw new MigrationError(unfinishedRestore);
    assertCompatible(
      rows.filter(({ name }) => !names.includes(name) && name !== restoreMark),
      names.at(-1) ?? '',
    );
    for (const name of names.filter((each) => !applied.has(each)))
      await apply(query, name, await readFile(new URL(name, folder), 'utf8'));
  } finally {
    // Close the connection instead of returning it to the pool, which ends its lock and its settings.
    client.release(true);
  }
};

/** The migrations that this program knows, in their order. */
export const listMigrations = async (folder: URL = migrationsFolder): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();

/**
 * In the list of migrations while a backup is restored. Programs that do not know it refuse to start too: to them, it is a migration of a newer
 * version.
 */
export const restoreMark = 'restore in progress';

const unfinishedRestore =
  'A restore into this database has not finished. Run `npm run restore` again; it begins from the start.';

type Applied = { name: string; compatible_since: string | null };

/**
 * A migration that this version does not know was applied by a newer one. Its header `-- compatible-since: 0023` says that programs whose
 * newest migration is 0023 or later work with its schema, so that an old server can be restarted during a rolling upgrade.
 */
const assertCompatible = (unknown: Applied[], newest: string): void => {
  const incompatible = unknown.filter(({ compatible_since: since }) => since === null || numberOf(newest) < since);
  if (incompatible.length === 0) return;
  const list = incompatible.map(({ name }) => name).join(', ');
  throw new MigrationError(
    `The database was migrated by a newer version of this program: it contains ${list}. Update the program.`,
  );
};

/** The number at the beginning of a migration's name. All have four digits, so they compare as text. */
const numberOf = (name: string): string => name.slice(0, 4);

const compatibleSince = (text: string): string | null => /^-- compatible-since: (\d{4})$/m.exec(text)?.[1] ?? null;

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
    await query('insert into migrations (name, compatible_since) values ($1, $2)', [name, compatibleSince(text)]);
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
