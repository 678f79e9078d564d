import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { prepareJobs } from '../jobs/jobs.ts';
import { createLog } from '../log.ts';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { eventually } from '../testing/machine/eventually.ts';
import { connect } from './connect.ts';
import { MigrationError, migrate } from './migrate.ts';

const connectTo = (where: pg.ClientConfig, limits?: Parameters<typeof connect>[2]) => {
  const connection = connect(where, () => undefined, limits);
  onTestFinished(() => connection.close());
  return connection.pool;
};

const appliedIn = async (where: pg.ClientConfig) =>
  (await query<{ name: string; applied_at: Date }>(where, 'select * from migrations order by name')).rows;

const tablesIn = async (where: pg.ClientConfig) =>
  (
    await query<{ name: string }>(
      where,
      "select relname as name from pg_class where relkind = 'r' and relname like 't\\_%'",
    )
  ).rows
    .map(({ name }) => name)
    .toSorted();

/** A folder of migrations, and a function that adds files. */
const makeFolder = async (files: Record<string, string>) => {
  const path = join(await makeDataFolder(), 'migrations');
  await mkdir(path);
  const put = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(path, name), text);
  };
  await put(files);
  return { folder: pathToFileURL(`${path}/`), put };
};

describe('migrating', () => {
  test('twice changes nothing the second time', async () => {
    const where = await makeDatabase();
    const pool = connectTo(where);
    await migrate(pool);
    const first = await appliedIn(where);
    await migrate(pool);
    expect(await appliedIn(where)).toEqual(first);
    const files = await readdir(new URL('./migrations/', import.meta.url));
    expect(first.map(({ name }) => name)).toEqual(files.filter((name) => name.endsWith('.sql')).toSorted());
  });

  test('by many servers at once happens once, including the job queue', async () => {
    const where = await makeDatabase();
    const pools = [connectTo(where), connectTo(where), connectTo(where)];
    await Promise.all(pools.map((pool) => migrate(pool)));
    await Promise.all(pools.map((pool) => prepareJobs(pool, createLog('silent'))));
    const { rows } = await query(where, 'select * from installation');
    expect(rows).toHaveLength(1);
  });

  test('keeps no changes of a migration that fails, and continues once it is corrected', async () => {
    const where = await makeDatabase();
    const pool = connectTo(where);
    const { folder, put } = await makeFolder({
      '0001-good.sql': 'create table t_good ();',
      '0002-bad.sql': 'create table t_bad (); select 1 / 0;',
      '0003-after.sql': 'create table t_after ();',
      'README.md': 'no migration',
    });
    await expect(migrate(pool, folder)).rejects.toThrow(
      'The migration 0002-bad.sql failed; its changes were rolled back.',
    );
    expect(await tablesIn(where)).toEqual(['t_good']);
    await put({ '0002-bad.sql': 'create table t_bad ();' });
    await migrate(pool, folder);
    expect(await tablesIn(where)).toEqual(['t_after', 't_bad', 't_good']);
  });

  test('keeps no changes of an interrupted migration, and leaves no lock behind', async () => {
    const where = await makeDatabase();
    const { folder, put } = await makeFolder({ '0001-long.sql': 'create table t_long (); select pg_sleep(600);' });
    const cut = migrate(connectTo(where), folder).catch((error: unknown) => error);
    await eventually(async () => {
      const { rowCount } = await query(
        where,
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'",
      );
      expect(rowCount).toBe(1);
    });
    expect(await cut).toBeInstanceOf(MigrationError);
    expect(await tablesIn(where)).toEqual([]);
    await put({ '0001-long.sql': 'create table t_long ();' });
    await migrate(connectTo(where), folder);
    expect(await tablesIn(where)).toEqual(['t_long']);
  });

  test('is not subject to the timeouts of requests', async () => {
    const where = await makeDatabase();
    const limits = { max: 2, connectionTimeoutMillis: 10_000, query_timeout: 100, statement_timeout: 100 };
    const { folder } = await makeFolder({ '0001-slow.sql': 'create table t_slow (); select pg_sleep(0.5);' });
    await Promise.all([migrate(connectTo(where, limits), folder), migrate(connectTo(where, limits), folder)]);
    expect(await tablesIn(where)).toEqual(['t_slow']);
  });

  test('runs the statements before the transaction one by one, and all of them again after a failure', async () => {
    const where = await makeDatabase();
    const pool = connectTo(where);
    const before = "select format('create index concurrently if not exists %I on t_one (n)', name) as statement\n";
    const list = "from (values ('t_first'), ('t_second')) as names (name);\n-- transaction\n";
    const { folder, put } = await makeFolder({
      '0001-table.sql': 'create table t_one (n integer);',
      '0002-indexes.sql': `${before}${list}create table t_two (); select 1 / 0;`,
    });
    await expect(migrate(pool, folder)).rejects.toThrow('0002-indexes.sql failed');
    const indexes = async () =>
      (await query<{ name: string }>(where, "select indexname as name from pg_indexes where tablename = 't_one'")).rows
        .map(({ name }) => name)
        .toSorted();
    expect([await indexes(), await tablesIn(where)]).toEqual([['t_first', 't_second'], ['t_one']]);
    await put({ '0002-indexes.sql': `${before}${list}create table t_two ();` });
    await Promise.all([migrate(pool, folder), migrate(connectTo(where), folder)]);
    expect([await indexes(), await tablesIn(where)]).toEqual([
      ['t_first', 't_second'],
      ['t_one', 't_two'],
    ]);
  });

  test('refuses a database that is newer than the program', async () => {
    const where = await makeDatabase();
    const pool = connectTo(where);
    const newer = await makeFolder({ '0001-a.sql': '', '0002-b.sql': '' });
    await migrate(pool, newer.folder);
    const older = await makeFolder({ '0001-a.sql': '' });
    await expect(migrate(pool, older.folder)).rejects.toThrow('it contains 0002-b.sql. Update the program.');
  });

  test('accepts a newer database whose migrations say that they are compatible with the program', async () => {
    const where = await makeDatabase();
    const pool = connectTo(where);
    const newer = await makeFolder({
      '0001-a.sql': '',
      '0002-b.sql': '',
      '0003-c.sql': '-- compatible-since: 0002\n-- Reason.\ncreate table t_c ();',
      '0004-d.sql': '-- compatible-since: 0001\ncreate table t_d ();',
    });
    await migrate(pool, newer.folder);
    const second = await makeFolder({ '0001-a.sql': '', '0002-b.sql': '' });
    await migrate(pool, second.folder);
    expect((await appliedIn(where)).map(({ name }) => name)).toHaveLength(4);
    const first = await makeFolder({ '0001-a.sql': '' });
    await expect(migrate(pool, first.folder)).rejects.toThrow(
      'it contains 0002-b.sql, 0003-c.sql. Update the program.',
    );
  });

  test('continues with a database from before migrations declared their compatibility', async () => {
    const where = await makeDatabase();
    await query(
      where,
      'create table migrations (name text primary key, applied_at timestamptz not null default now())',
    );
    await query(where, "insert into migrations (name) values ('0001-a.sql')");
    const { folder } = await makeFolder({ '0001-a.sql': 'select 1 / 0', '0002-b.sql': 'create table t_b ();' });
    await migrate(connectTo(where), folder);
    expect(await tablesIn(where)).toEqual(['t_b']);
  });

  test('every migration since 0024 declares its compatibility', async () => {
    const files = await readdir(new URL('./migrations/', import.meta.url));
    const recent = files.filter((name) => name >= '0024').toSorted();
    expect(recent.length).toBeGreaterThan(0);
    for (const name of recent) {
      const text = await readFile(new URL(`./migrations/${name}`, import.meta.url), 'utf8');
      const [, since = 'missing'] = /^-- compatible-since: (\d{4})\n/.exec(text) ?? [];
      expect([name, since <= name.slice(0, 4)]).toEqual([name, true]);
    }
  });
});

describe('§2.5 the index of the login log by site', () => {
  const name = '0023-activity-by-site.sql';
  const lineOf = (network: number) =>
    `insert into login_log (network_id, site, login_status, reason, ip_address) values (${network}, 'site', 'Success', '', '192.0.2.1')`;

  /** A database as it was before this migration, with a line in the log. */
  const makeOlder = async () => {
    const where = await makeDatabase();
    const { folder, put } = await makeFolder({});
    const all = new URL('./migrations/', import.meta.url);
    const names = (await readdir(all)).filter((each) => each.endsWith('.sql'));
    const texts = await Promise.all(
      names.map(async (each) => [each, await readFile(new URL(each, all), 'utf8')] as const),
    );
    await put(Object.fromEntries(texts.filter(([each]) => each < name)));
    await migrate(connectTo(where), folder);
    await query(where, lineOf(1));
    return { where, finish: async () => migrate(connectTo(where)) };
  };

  const indexesOf = async (where: pg.ClientConfig) =>
    (
      await query<{ partition: string; valid: boolean }>(
        where,
        `select indrelid::regclass::text as partition, indisvalid as valid from pg_index
         where pg_get_indexdef(indexrelid) like '%(network_id, lower(site) COLLATE "C", login_time DESC, id DESC)'
         order by 1`,
      )
    ).rows;
  const partitionsOf = async (where: pg.ClientConfig) =>
    (
      await query<{ partition: string }>(
        where,
        "select relid::text as partition from pg_partition_tree('login_log') order by 1",
      )
    ).rows;

  test('is created while sign-ins write to the log, one for each month, and once', async () => {
    const { where, finish } = await makeOlder();
    const writer = new pg.Client(where);
    await writer.connect();
    onTestFinished(() => writer.end());
    await writer.query(`begin; ${lineOf(2)}`);
    const migrating = finish();
    // It waits for the open transaction. Others write meanwhile.
    await eventually(async () => {
      const { rowCount } = await query(
        where,
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ '^create index'",
      );
      expect(rowCount).toBe(1);
    });
    await query(where, `set lock_timeout = '3s'; ${lineOf(3)}`);
    await writer.query('commit');
    await migrating;
    const expected = (await partitionsOf(where)).map((each) => ({ ...each, valid: true }));
    expect(expected.length).toBeGreaterThan(3);
    expect(await indexesOf(where)).toEqual(expected);
  });

  test('replaces the remains of an interrupted attempt', async () => {
    const { where, finish } = await makeOlder();
    const { rows } = await query<{ partition: string }>(
      where,
      "select relid::text as partition from pg_partition_tree('login_log') where isleaf order by 1",
    );
    const [first, second] = rows.map(({ partition }) => partition);
    const columns = '(network_id, (lower(site) collate "C"), login_time desc, id desc)';
    for (const partition of [first, second])
      await query(where, `create index ${partition}__network_site on ${partition} ${columns}`);
    await query(where, `update pg_index set indisvalid = false where indexrelid = '${first}__network_site'::regclass`);
    await finish();
    expect(await indexesOf(where)).toEqual((await partitionsOf(where)).map((each) => ({ ...each, valid: true })));
  });
});
