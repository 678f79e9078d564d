import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataFolder } from '../testing/machine/data-folder.ts';
import { makeDatabase, query } from '../testing/machine/database.ts';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';

test('the migration to invitations splits users, requires consent again and counts correctly', async () => {
  const where = await makeDatabase();
  const connection = connect(where, () => undefined);
  onTestFinished(() => connection.close());
  const all = fileURLToPath(new URL('./migrations/', import.meta.url));
  const before = join(await makeDataFolder(), 'before');
  await mkdir(before);
  for (const name of await readdir(all)) if (name < '0016') await copyFile(join(all, name), join(before, name));
  await migrate(connection.pool, pathToFileURL(`${before}/`));
  const ask = async (text: string) => (await query<Record<string, unknown>>(where, text)).rows;

  await ask(`insert into networks (name, sso_id) values ('a', 'a'), ('b', 'b'), ('c', 'c')`);
  await ask('insert into network_settings (network_id) select id from networks');
  const idOf = (network: string) => `(select id from networks where name = '${network}')`;
  const make = async (name: string, home: string, networks: string[], columns = '', values = '') => {
    await ask(`insert into users (uid, email, home_network_id, default_network_id${columns})
      values ('${name}', '${name}@x.org', ${idOf(home)}, ${idOf(home)}${values})`);
    for (const network of networks)
      await ask(
        `insert into memberships (network_id, user_id) select ${idOf(network)}, id from users where uid = '${name}'`,
      );
  };
  const confirmed = [', password_hash, status', ", 'hash', 'Confirmed'"] as const;
  await make('joined', 'a', ['a', 'b'], ...confirmed);
  await make('visitor', 'a', ['a', 'b'], ...confirmed);
  await make('owner', 'a', ['a', 'b'], ...confirmed);
  await make('typed-first', 'a', ['a', 'b'], ...confirmed);
  await make('invited', 'a', ['a', 'b', 'c']);
  await make('astray', 'a', ['b', 'c']);
  await make('nowhere', 'a', []);
  await ask(`insert into owners (network_id, email) values (${idOf('b')}, 'owner@x.org')`);
  await ask(
    `insert into sites (network_id, identity, acs, sls, domain, site_name) values (${idOf('b')}, 'i', 'a', 's', 'd', 'n')`,
  );
  await ask(
    `insert into site_visits (user_id, site_id) select users.id, sites.id from users, sites where uid = 'visitor'`,
  );
  for (const network of ['a', 'b', 'c']) {
    await ask(`insert into groups (network_id, name, description) values (${idOf(network)}, 'of ${network}', '')`);
    await ask(`insert into group_users (group_id, user_id) select groups.id, users.id from groups, users
      where groups.name = 'of ${network}' and uid = 'invited'`);
    await ask(`insert into one_time_tokens (token_hash, user_id, network_id, purpose, expires_at)
      select '${network}', id, ${idOf(network)}, 'activation', now() + interval '1 day' from users where uid = 'invited'`);
  }
  await ask(`insert into one_time_tokens (token_hash, user_id, network_id, purpose, expires_at, used_at)
    select 'used', id, ${idOf('b')}, 'activation', now(), now() from users where uid = 'typed-first'`);

  await migrate(connection.pool);

  const listed = (what: string) => `(select string_agg(${what}, ',' order by ${what})`;
  const rows = await ask(`select split_part(email, '@', 1) as person, provisional,
      (select name from networks where id = home_network_id) as home,
      (select name from networks where id = default_network_id) as standard,
      ${listed("networks.name || ':' || memberships.status")} from memberships join networks on networks.id = network_id
        where user_id = users.id) as networks,
      ${listed('groups.name')} from group_users join groups on groups.id = group_id where user_id = users.id) as groups,
      ${listed('networks.name')} from one_time_tokens join networks on networks.id = network_id
        where user_id = users.id and used_at is null) as links
    from users order by 1, 3`);
  const account = { provisional: false, standard: 'a', groups: null, links: null };
  const invitation = (home: string, groups: string | null, links: string | null) => ({
    provisional: true,
    home,
    standard: home,
    networks: `${home}:Confirmed`,
    groups,
    links,
  });
  expect(rows).toEqual([
    { person: 'astray', ...invitation('b', null, null) },
    { person: 'astray', ...invitation('c', null, null) },
    { person: 'invited', ...invitation('a', 'of a', 'a') },
    { person: 'invited', ...invitation('b', 'of b', 'b') },
    { person: 'invited', ...invitation('c', 'of c', 'c') },
    { person: 'joined', ...account, home: 'a', networks: 'a:Confirmed,b:NonConfirmed' },
    { person: 'owner', ...account, home: 'a', networks: 'a:Confirmed,b:Confirmed' },
    { person: 'typed-first', ...account, home: 'b', networks: 'a:NonConfirmed,b:Confirmed' },
    { person: 'visitor', ...account, home: 'a', networks: 'a:Confirmed,b:Confirmed' },
  ]);
  expect(
    await ask(`select * from (
        select network_id, greatest(users.status, memberships.status) as status,
          greatest(users.user_mode, memberships.user_mode) as user_mode, count(*) as members
        from memberships join users on users.id = user_id group by 1, 2, 3
      ) as counted full join (select * from member_counts where members <> 0) as kept using (network_id, status, user_mode)
      where counted.members is distinct from kept.members`),
  ).toEqual([]);
});
