import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';

test('the migration of signing keys keeps existing keys, and earlier versions can still insert some', async () => {
  const where = await makeDatabase();
  const connection = connect(where, () => undefined);
  onTestFinished(() => connection.close());
  const all = fileURLToPath(new URL('./migrations/', import.meta.url));
  const before = join(await makeDataFolder(), 'before');
  await mkdir(before);
  for (const name of await readdir(all)) if (name < '0026') await copyFile(join(all, name), join(before, name));
  await migrate(connection.pool, pathToFileURL(`${before}/`));
  const ask = async (text: string) => (await query<Record<string, unknown>>(where, text)).rows;

  await ask(`insert into networks (name, sso_id) values ('a', 'a'), ('b', 'b')`);
  const insertKey = (network: string, state: string, createdAt: string) =>
    ask(`insert into signing_keys (network_id, state, private_key, certificate, created_at)
      select id, '${state}', '\\x00', 'certificate', ${createdAt} from networks where name = '${network}'`);
  await insertKey('a', 'current', "'2025-03-01 12:00:00Z'");
  await insertKey('a', 'retired', "'2024-03-01 12:00:00Z'");
  await ask(`insert into sites (network_id, identity, acs, sls, domain, site_name)
    select id, 'i', 'a', 's', 'd', 'n' from networks where name = 'a'`);

  await migrate(connection.pool);
  await insertKey('b', 'current', 'now()');

  expect(
    await ask(`select state, algorithm, (not_after at time zone 'utc')::text as ends, retired_at is not null as retired
      from signing_keys where network_id = (select id from networks where name = 'a') order by id`),
  ).toEqual([
    { state: 'current', algorithm: 'rsa-2048', ends: '2035-02-27 11:59:00', retired: false },
    { state: 'retired', algorithm: 'rsa-2048', ends: '2034-02-27 11:59:00', retired: true },
  ]);
  expect(await ask('select signing_key_id from sites')).toEqual([{ signing_key_id: null }]);
  expect(
    await ask(`select extract(day from not_after - now())::int as days from signing_keys
      where network_id = (select id from networks where name = 'b')`),
  ).toEqual([{ days: 3649 }]);
  // A network is deleted with its keys and the sites that use them.
  await ask(`update sites set signing_key_id = (select id from signing_keys where state = 'retired')`);
  await ask(`delete from networks where name = 'a'`);
  expect(await ask('select id from sites')).toEqual([]);
});
