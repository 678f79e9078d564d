import type pg from 'pg';
import { restoreMark } from '../../database/migrate.ts';
import { BackupError } from './backups.format.ts';
import { exists, findTables, quoted } from './backups.queries.ts';

/**
 * What a backup would replace. `unused`: a server has started on the database and nobody has used it. `unfinished`: a restore was interrupted.
 */
export type DatabaseState = 'empty' | 'unused' | 'unfinished' | 'used';

export const findState = async (client: pg.Client): Promise<DatabaseState> => {
  const isOurs = (await exists(client, 'migrations')) && (await hasColumn(client, 'migrations', 'applied_at'));
  if (!isOurs) {
    if ((await findTables(client)).length === 0) return 'empty';
    throw new BackupError(
      'The database contains tables of another program. Create an empty database for OpenSocial SSO and name it in DATABASE_URL.',
    );
  }
  const { rowCount } = await client.query('select from migrations where name = $1', [restoreMark]);
  if (rowCount !== 0) return 'unfinished';
  return (await isUnused(client)) ? 'unused' : 'used';
};

const hasColumn = async (client: pg.Client, table: string, column: string): Promise<boolean> => {
  const { rowCount } = await client.query(
    'select from pg_attribute where attrelid = to_regclass($1) and attname = $2 and not attisdropped',
    [table, column],
  );
  return rowCount === 1;
};

/** A first start creates a network, the console as its site, and the first owner. */
const isUnused = async (client: pg.Client): Promise<boolean> => {
  if (!(await exists(client, 'sites'))) return true;
  const { rows } = await client.query<{ unused: boolean }>(
    `select (select count(*) from networks) <= 1 and (select count(*) from users) <= 1
       and not exists (select from sites where kind = 'site') and not exists (select from users where password_hash is not null) as unused`,
  );
  return rows[0]?.unused === true;
};

/** Removes everything, and marks the database as being restored in the same transaction, so that no server starts on it. */
export const clearDatabase = async (client: pg.Client): Promise<void> => {
  await client.query('begin');
  try {
    const { rows } = await client.query<{ statement: string }>(
      `select format('drop table %s cascade', oid::regclass) as statement from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
         and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
       union all
       select format('drop routine %s cascade', oid::regprocedure) from pg_proc
       where pronamespace = 'public'::regnamespace
         and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
       union all
       select 'drop schema graphile_worker cascade' where to_regnamespace('graphile_worker') is not null`,
    );
    for (const { statement } of rows) await client.query(statement);
    await client.query(
      'create table migrations (name text primary key, applied_at timestamptz not null default now(), compatible_since text)',
    );
    await client.query('insert into migrations (name) values ($1)', [restoreMark]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

/** Lets servers start. */
export const markRestored = (client: pg.Client) =>
  client.query('delete from migrations where name = $1', [restoreMark]);

/**
 * Empties all tables, and takes away what would slow down or change the rows that are loaded: triggers, which would count them again, and
 * foreign keys, which need an order of the tables. `finish` restores them, and the keys are checked again. All of it belongs to the
 * transaction of the caller.
 */
export const prepareLoad = async (client: pg.Client): Promise<{ finish: () => Promise<void> }> => {
  const tables = (await findTables(client)).map(({ name }) => quoted(name));
  const { rows: keys } = await client.query<{ drop: string; add: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0 order by 1`,
  );
  const { rows: indexes } = await client.query<{ drop: string; add: string }>(
    `select format('drop index %s', indexrelid::regclass) as drop, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as add
     from pg_index join pg_class on pg_class.oid = indexrelid
     where relnamespace = 'public'::regnamespace and not relispartition
       and not exists (select from pg_constraint where conindid = indexrelid) order by 1`,
  );
  const run = async (statements: string[]) => {
    for (const statement of statements) await client.query(statement);
  };
  await run(keys.map(({ drop }) => drop));
  await run(indexes.map(({ drop }) => drop));
  await run(tables.map((table) => `alter table ${table} disable trigger user`));
  await client.query(`truncate ${tables.join(', ')}`);
  return {
    finish: async () => {
      await run(indexes.map(({ add }) => add));
      await run(keys.map(({ add }) => add));
      await run(tables.map((table) => `alter table ${table} enable trigger user`));
    },
  };
};
