import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';

const migrations = fileURLToPath(new URL('./migrations/', import.meta.url));

/** A database of the version before the hours were counted, with some lines of the log. */
const makeEarlierDatabase = async (lines: number) => {
  const where = await makeDatabase();
  const connection = connect(where, () => undefined);
  onTestFinished(() => connection.close());
  const before = join(await makeDataFolder(), 'before');
  await mkdir(before);
  for (const name of await readdir(migrations))
    if (name < '0041') await copyFile(join(migrations, name), join(before, name));
  await migrate(connection.pool, pathToFileURL(`${before}/`));
  const ask = async (text: string) => (await query<Record<string, unknown>>(where, text)).rows;
  await ask(`insert into login_log (network_id, site, login_status, reason, ip_address, login_time)
    select 1 + n % 2, 'site', case n % 3 when 0 then 'Failed' else 'Success' end, 'reason ' || n % 4, '192.0.2.1', now() - n * interval '7 minutes'
    from generate_series(1, ${lines}) as n`);
  return { connection, ask };
};

/** Compares the counted hours with the lines. */
const differences = `
  with counted as (
    select network_id, date_bin('1 hour', login_time, 'epoch') as hour, login_status,
      case login_status when 'Success' then '' else reason end as reason, count(*) as lines from login_log group by 1, 2, 3, 4
  )
  select * from counted full join login_log_hours as kept using (network_id, hour, login_status, reason)
  where lines is distinct from quarter_1 + quarter_2 + quarter_3 + quarter_4`;

const addLine = `insert into login_log (network_id, site, login_status, reason, ip_address) values (1, 'site', 'Success', 'password', '192.0.2.1')`;

test('the migration counts the lines of a small log at once', async () => {
  const { connection, ask } = await makeEarlierDatabase(3_000);
  await migrate(connection.pool);
  expect(await ask(differences)).toEqual([]);
  expect(await ask('select * from login_log_backfill')).toEqual([]);
  await ask(addLine);
  expect(await ask(differences)).toEqual([]);
});

test('a large log is counted in the background, while lines are written', async () => {
  const { connection, ask } = await makeEarlierDatabase(3_000);
  // The migration takes the log for a large one.
  await ask(`update login_log_days set lines = 1000000`);
  await migrate(connection.pool);
  expect(await ask('select last_id::int from login_log_backfill')).toEqual([{ last_id: 3_001 }]);
  expect(await ask(differences)).not.toEqual([]);
  await ask(addLine);
  const step = async () => (await ask('select count_earlier_login_log(1100) as more'))[0]?.['more'];
  expect(await step()).toBe(true);
  await ask(addLine);
  expect(await ask(differences)).not.toEqual([]);
  // Two servers at the same moment.
  expect((await Promise.all([step(), step()])).toSorted()).toEqual([false, true]);
  expect(await ask(differences)).toEqual([]);
  expect(await step()).toBe(false);
  expect(await ask(differences)).toEqual([]);
});
