import { createNetwork } from '../apps/server/src/features/networks/networks.service.ts';
import { hashPassword } from '../apps/server/src/secrets/passwords.ts';
import { password } from '../apps/server/src/testing/app/builders.ts';
import { makeDatabase, network, openParts, type Size, sizes, type World } from './world.ts';

type Plan = { users: number; sites: number; lines: number; groups: number; images: number; networks: number };

const plans: Record<Size, Plan> = {
  small: { users: 1_000, sites: 1_000, lines: 1_000, groups: 1_000, images: 1_000, networks: 1_000 },
  full: { users: 1_000_000, sites: 10_000, lines: 10_000_000, groups: 10_000, images: 10_000, networks: 10_000 },
};

/** The person who opens the lists: an owner of the network with most of the data. */
export const viewer = 'ana.moreno@northlab.example';

const firstnames =
  'Ana Ben Cleo Diego Elif Farah Goran Hana Ivo Jun Kofi Lena Marta Nils Oona Pablo Qiang Rosa Sami Tova Uma Viktor Wanda Ximena Yara Zeno Aisha Boris Carmen Dmitri Esther Felix Greta Hugo Ingrid Jamal Katya Luis Mei Noor';
const syllables =
  'Mor Ital Lind Had Nov Kay Ross Schm Dub Mens Silv Petr Tan Web Cost Yilm Lars Garc Horv Jans Kim Lop Fisch Berg Oka Vog';
const endings = 'eno aka qvist dad ak a i idt ois ah a ov aka er a az en ia at sen sky ez er mann for el';

const arrayOf = (words: string): string => `array['${words.split(' ').join("','")}']`;

/**
 * All data is generated inside the database, one table at a time, with indexes afterwards: this is faster than COPY,
 * because nothing is transferred. The data is realistic: a few people and sites have most of the sign-ins, mornings are
 * busier than nights, and a tenth of everything belongs to other networks.
 */
export const seed = async (world: World): Promise<void> => {
  for (const size of sizes) {
    const begun = performance.now();
    await makeDatabase(world, size);
    await fill(world, size, plans[size]);
    console.log(`${size}: seeded in ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  }
};

const fill = async (world: World, size: Size, plan: Plan): Promise<void> => {
  const { parts, close } = await openParts(world, size);
  try {
    for (const name of [network, 'southlab']) await parts.db.transaction((tx) => createNetwork(tx, parts, name));
  } finally {
    await close();
  }
  const run = (text: string, values: unknown[] = []) => world.query(size, text, values);
  const tables: [name: string, statements: string[]][] = [
    ['networks', networksOf(plan)],
    ['users', usersOf(plan, await hashPassword(password))],
    [
      'memberships',
      [
        `insert into memberships (network_id, user_id, last_login_at) select home_network_id, id, last_login_at from users on conflict do nothing`,
      ],
    ],
    ['sites', sitesOf(plan)],
    ['groups', groupsOf(plan)],
    [
      'group_users',
      [
        `insert into group_users (group_id, user_id) select distinct on (user_id) groups.id, users.id as user_id from users join groups on groups.network_id = users.home_network_id and groups.name = 'Team ' || (1 + users.id % 200) order by user_id`,
      ],
    ],
    ['images', imagesOf(plan)],
  ];
  for (const [table, statements] of tables)
    await withoutIndexes(run, table, async () => {
      for (const statement of statements) await run(statement);
    });
  await run(`insert into owners (network_id, email) select id, $1 from networks on conflict do nothing`, [viewer]);
  await run(
    `insert into memberships (network_id, user_id) select networks.id, users.id from networks, users where users.email = $1 on conflict do nothing`,
    [viewer],
  );
  await fillLog(run, plan);
  await run('create table bench_seeded ()');
  await run('vacuum analyze');
};

type Run = (text: string, values?: unknown[]) => Promise<unknown[]>;

/** Creating an index afterwards is ten times as fast. Indexes of constraints stay. */
const withoutIndexes = async (run: Run, table: string, work: () => Promise<void>): Promise<void> => {
  const found = (await run(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [table],
  )) as { name: string; definition: string }[];
  for (const { name } of found) await run(`drop index ${name}`);
  await work();
  for (const { definition } of found) await run(definition);
};

const networksOf = ({ networks }: Plan) => [
  `insert into networks (name, sso_id, created_at)
   select 'network-' || lpad(n::text, 5, '0'), 'bench-' || n, now() - n * interval '1 hour' from generate_series(1, ${networks}) n`,
  `insert into network_settings (network_id) select id from networks on conflict do nothing`,
];

/** Nine of ten belong to the measured network. */
const home = (n: string): string =>
  `case when ${n} % 10 = 9 then (select id from networks where name = 'southlab') else (select id from networks where name = '${network}') end`;

const usersOf = ({ users }: Plan, passwordHash: string) => [
  `insert into users (uid, email, firstname, lastname, password_hash, status, user_mode, home_network_id, default_network_id, created_at, last_login_at)
   select 'bench-' || n, lower(first || '.' || last || case when n = 0 then '' else n::text end) || '@northlab.example', first, last, '${passwordHash}',
     case when n % 13 = 5 then 'NonConfirmed' else 'Confirmed' end, case when n % 29 = 7 then 'Disable' else 'Active' end,
     place, place, now() - random() * interval '3 years', case when n % 13 = 5 then null else now() - random() ^ 3 * interval '1 year' end
   from (select n, ${home('n')} as place,
       case when n = 0 then 'Ana' else (${arrayOf(firstnames)})[1 + (random() ^ 1.5 * 39)::int] end as first,
       case when n = 0 then 'Moreno' else (${arrayOf(syllables)})[1 + (random() * 25)::int] || (${arrayOf(endings)})[1 + (random() * 25)::int] end as last
     from generate_series(0, ${users - 1}) n) as drawn`,
];

const sitesOf = ({ sites }: Plan) => [
  `insert into sites (network_id, identity, acs, sls, domain, site_name, status, site_mode, created_at)
   select ${home('n')}, 'https://' || domain || '/metadata', 'https://' || domain || '/acs', 'https://' || domain || '/sls', domain, initcap(word) || ' ' || n,
     case when n % 23 = 3 then 'Disable' else 'Active' end, case when n % 17 = 4 then 'Closed' else 'Open' end, now() - random() * interval '3 years'
   from (select n, word, word || n || '.northlab.example' as domain from (
     select n, (${arrayOf('wiki grid stock samples calendar library imaging genome reports orders safety training')})[1 + n % 12] as word
     from generate_series(1, ${sites}) n) as named) as drawn`,
];

const groupsOf = ({ groups }: Plan) => [
  `insert into groups (network_id, name, description)
   select (select id from networks where name = '${network}'), 'Team ' || n, 'Everybody of team ' || n from generate_series(1, ${groups}) n`,
];

const imagesOf = ({ images }: Plan) => [
  `insert into images (network_id, kind, name, file_name, media_type, size, width, height, title)
   select (select id from networks where name = '${network}'), 'image', 'bench' || n || '.png', 'picture' || n || '.png', 'image/png', 1000 + n, 64, 64, 'Picture ' || n
   from generate_series(1, ${images}) n`,
];

const days = 400;

/** Month by month in chronological order, into tables that get their indexes when they are attached to the log. */
const fillLog = async (run: Run, { lines, users, sites }: Plan): Promise<void> => {
  const [first] = (await run(
    `select (select min(id) from users where uid like 'bench-%') as person, (select min(id) from sites where kind = 'site') as place`,
  )) as { person: string; place: string }[];
  const months = (await run(
    `select 'login_log_' || to_char(month, 'YYYY_MM') as table, month as beginning, month + interval '1 month' as ending
     from generate_series(date_trunc('month', now() - interval '${days} days'), now(), interval '1 month') as month`,
  )) as { table: string; beginning: Date; ending: Date }[];
  for (const { table, beginning, ending } of months) {
    const from = Math.max(beginning.getTime(), Date.now() - days * 86_400_000);
    const to = Math.min(ending.getTime(), Date.now());
    await run(`drop table if exists ${table}`);
    await run(`create table ${table} (like login_log including defaults including constraints)`);
    await run(
      `insert into ${table} (network_id, site_id, user_id, email, site, login_status, reason, ip_address, user_agent, mfa, login_time)
       select sites.network_id, sites.id, case when is_stranger then null else users.id end,
         case when is_stranger then 'stranger' || (random() * 1000)::int || '@elsewhere.example' else users.email end, sites.domain,
         case when is_failed then 'Failed' else 'Success' end,
         case when is_stranger then 'unknown address' when is_failed then 'wrong password' when random() < 0.8 then 'session' else 'password' end,
         ('10.' || (random() * 9)::int || '.' || (random() * 255)::int || '.' || (random() * 255)::int)::inet,
         'Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0', case when random() < 0.2 then 'totp' end, moment
       from (select *, is_failed and odd < 0.3 as is_stranger from (
           select (random() ^ 3 * ${users - 1})::bigint + ${first?.person} as person, (random() ^ 4 * ${sites - 1})::bigint + ${first?.place} as place,
             random() < 0.06 as is_failed, random() as odd, $1::timestamptz + random() * ($2::timestamptz - $1::timestamptz) as moment
           from generate_series(1, ${Math.round((lines * (to - from)) / (days * 86_400_000))})) as given) as drawn
       join sites on sites.id = place join users on users.id = person order by moment`,
      [new Date(from), new Date(to)],
    );
    await run(
      `alter table login_log attach partition ${table} for values from ('${beginning.toISOString()}') to ('${ending.toISOString()}')`,
    );
  }
  await run(`insert into login_log_days (network_id, day, login_status, lines)
    select network_id, (login_time at time zone 'UTC')::date, login_status, count(*) from login_log group by 1, 2, 3`);
  await run('insert into login_log_backfill (last_id) select last_value from login_log__id on conflict do nothing');
  await run('select count_earlier_login_log((select last_id from login_log_backfill))');
  await withoutIndexes(run, 'login_log_names', async () => {
    await run(`insert into login_log_names (network_id, kind, name, succeeded, failed)
    select network_id, kind, name, count(*) filter (where login_status = 'Success'), count(*) filter (where login_status = 'Failed')
    from login_log cross join lateral (values ('email', lower(email)), ('site', lower(site)), ('address', host(ip_address))) as named (kind, name)
    where name is not null group by 1, 2, 3`);
  });
};
