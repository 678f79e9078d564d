import pg from 'pg';
import { pictureFolder } from '../profile/profile.pictures.service.ts';

/**
 * Tables whose rows are not part of a backup. Running servers write `media_places`. Sessions, sign-ins in progress and tokens that were ended after the backup would be valid again,
 * and the file would contain what they are recognised by.
 */
export const transientTables: readonly string[] = [
  'identity_sessions',
  'identity_session_sites',
  'console_sessions',
  'sign_ins',
  'sign_in_codes',
  'email_mfa_codes',
  'activation_proofs',
  'pending_passkeys',
  'pending_totp',
  'logouts',
  'logout_sites',
  'oidc_grants',
  'oidc_artifacts',
  'media_places',
];

/** Written by the program that migrates. */
const migrationsTable = 'migrations';

/** The months that a server is about to drop. Their lines are still in the counters. */
const detachedMonth = /^login_log_\d{4}_\d\d$/;

export type Table = { name: string; columns: string[] };

/** Identifiers of our schema need no escaping; the quotes are for reserved words. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);

/** A connection for statements that take as long as they need. */
export const connectAlone = async (where: pg.ClientConfig, onLost: (error: Error) => void): Promise<pg.Client> => {
  const client = new pg.Client({ ...where, keepAlive: true, connectionTimeoutMillis: 15_000 });
  client.on('error', onLost);
  await client.connect();
  await client.query(
    `select set_config(name, '0', false) from pg_settings
     where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`,
  );
  // The text form of values must not depend on the settings of the database or role.
  await client.query(
    `set client_encoding = 'UTF8'; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
     set extra_float_digits = 1; set bytea_output = 'hex'`,
  );
  return client;
};

/** The tables with their columns, except generated ones, whose values are computed again. */
export const findTables = async (client: pg.Client): Promise<Table[]> => {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> $1
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by 1 order by 1`,
    [migrationsTable],
  );
  return rows;
};

export const isDetachedMonth = ({ name }: Table): boolean => detachedMonth.test(name);

/** A statement with all rows of a table that are part of a backup. */
export const rowsOf = ({ name, columns }: Table, tables: readonly Table[]): string => {
  const select = (from: string) => `select ${columns.map(quoted).join(', ')} from ${quoted(from)}`;
  // Lines of months that are about to be dropped would otherwise stay in the counters forever.
  const months = name === 'login_log' ? tables.filter(isDetachedMonth) : [];
  return [select(name), ...months.map((month) => select(month.name))].join(' union all ');
};

export const exists = async (client: pg.Client, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [table]);
  return rows[0]?.found === true;
};

export const findMigrations = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(`select name from ${migrationsTable} order by name`);
  return rows.map(({ name }) => name);
};

export type Sequence = { name: string; last_value: string; is_called: boolean };

/** Sequences are not part of a snapshot. A later value only leaves a gap between ids. */
export const readSequences = async (client: pg.Client): Promise<Sequence[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  );
  const read: Sequence[] = [];
  for (const { name } of rows) {
    const { rows: found } = await client.query<Omit<Sequence, 'name'>>(
      `select last_value, is_called from ${quoted(name)}`,
    );
    if (found[0]) read.push({ name, ...found[0] });
  }
  return read;
};

/** The first days of the months that have a partition. */
export const findLogMonths = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ month: string }>(
    String.raw`select replace(substring(relname from '\d{4}_\d\d$'), '_', '-') || '-01' as month from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '^login_log_\d{4}_\d\d$' order by 1`,
  );
  return rows.map(({ month }) => month);
};

type FileColumn = { table: string; keys: string };

/** Where rows name files of the storage. Pictures that are drawings have no thumbnail. */
const fileColumns: readonly FileColumn[] = [
  { table: 'images', keys: 'name' },
  { table: 'images', keys: `name || '.thumbnail'` },
  { table: 'profile_pictures', keys: `substr(name, ${pictureFolder.length + 1})` },
  { table: 'trash_rows', keys: 'file' },
  { table: 'trash_rows', keys: `file || '.thumbnail'` },
];

/** The names of the files that rows need, and whether a file may be missing. */
export const findMedia = async (client: pg.Client): Promise<Map<string, { isOptional: boolean }>> => {
  const found = new Map<string, { isOptional: boolean }>();
  for (const { table, keys } of fileColumns) {
    if (!(await exists(client, table))) continue;
    const { rows } = await client.query<{ key: string }>(
      `select key from (select ${keys} as key from ${table}) as files where key is not null order by 1`,
    );
    for (const { key } of rows) found.set(key, { isOptional: keys.includes('.thumbnail') });
  }
  return found;
};

/** Programs that are connected to the database, apart from this connection. */
export const findOthers = async (client: pg.Client, own: readonly number[] = []): Promise<string[]> => {
  const { rows } = await client.query<{ other: string }>(
    `select concat_ws(' ', nullif(application_name, ''), 'as ' || usename, 'from ' || coalesce(host(client_addr), 'this machine')) as other
     from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and pid <> all($1)`,
    [own],
  );
  return rows.map(({ other }) => other);
};
