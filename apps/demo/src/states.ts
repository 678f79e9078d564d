import type { Transaction } from '../../server/src/database/connect.ts';
import { updateMembership, updateUser } from '../../server/src/features/users/users.queries.ts';
import { findAccountByEmail, insertInvitations, joinNetwork } from '../../server/src/features/users/users.service.ts';
import { networkNamed } from '../../server/src/testing/app/builders.ts';
import { personOf } from './people.ts';

/**
 * The position of each person in their home network. The first three are the accounts that the demonstration signs in
 * with.
 */
const places = `
  select id, home_network_id, row_number() over (partition by home_network_id order by id) - 1 as place
  from users where home_network_id in (select id from networks where name in ('northlab', 'southlab', 'genolab'))`;

/** Gives people the states that are typical after some years. */
export const seedStates = async (tx: Transaction): Promise<void> => {
  // Most joined over two years, some in recent weeks.
  await tx.execute(`
    with person as (${places}), joined as (
      select *, now() - interval '1 day' * (case when place % 9 = 5 then place * 7 % 80 else 91 + place * 37 % 640 end)
        - interval '1 minute' * (place * 53 % 600) as at
      from person where place > 2
    ), member as (
      update memberships set created_at = joined.at from joined
      where memberships.user_id = joined.id and memberships.network_id = joined.home_network_id
    )
    update users set created_at = joined.at, password_changed_at = joined.at from joined where users.id = joined.id`);
  await tx.execute(`
    with person as (${places})
    update users set
      user_mode = case when place % 25 = 12 then 'Disable' else 'Active' end,
      status = case when place % 40 = 23 or place % 30 = 17 then 'NonConfirmed' else 'Confirmed' end,
      provisional = place % 30 = 17,
      password_hash = case when place % 30 = 17 then null else password_hash end,
      password_changed_at = case when place % 30 = 17 then null else password_changed_at end,
      email_mfa = place % 50 = 8,
      bypass_inactivity = place % 60 = 33
    from person where users.id = person.id and place > 2`);
  await tx.execute(`
    delete from password_history using users where users.id = password_history.user_id and users.provisional`);
  await seedNeighbours(tx);
};

/** People of two networks: one whom the home network has disabled, and one whom the second network has invited. */
const seedNeighbours = async (tx: Transaction): Promise<void> => {
  const { id: northlab } = await networkNamed(tx, 'northlab');
  const { id: southlab } = await networkNamed(tx, 'southlab');
  const disabled = await findAccountByEmail(tx, personOf('northlab', 3).email);
  if (!disabled) throw new Error('The person who belongs to two networks is missing.');
  await joinNetwork(tx, southlab, disabled.id);
  await updateMembership(tx, northlab, disabled.id, { user_mode: 'Disable' });
  await updateUser(tx, disabled.id, { default_network_id: southlab });
  await insertInvitations(tx, southlab, [personOf('northlab', 1)]);
};

/**
 * Makes the log consistent with the people: nobody has signed in before they joined, while invited, after they were
 * disabled, or at a site of groups that they are not in. Visits and last logins are then derived from the log, as the
 * product does.
 */
export const matchLog = async (tx: Transaction): Promise<void> => {
  await tx.execute(`
    delete from login_log using users where users.id = login_log.user_id and (
      users.provisional or users.status = 'NonConfirmed' or login_time < users.created_at
      or (users.user_mode = 'Disable' and login_time > now() - interval '20 days')
      or (login_time > now() - interval '20 days' and exists (select from memberships
        where memberships.user_id = login_log.user_id and memberships.network_id = login_log.network_id
          and memberships.user_mode = 'Disable'))
      or (exists (select from group_sites where group_sites.site_id = login_log.site_id) and not exists (
        select from group_sites join group_users on group_users.group_id = group_sites.group_id
        where group_sites.site_id = login_log.site_id and group_users.user_id = login_log.user_id)))`);
  await recountLog(tx);
  await tx.execute(`
    insert into site_visits (user_id, site_id, last_at)
    select user_id, site_id, max(login_time) from login_log where user_id is not null and site_id is not null
    group by user_id, site_id`);
  await tx.execute(`
    update users set last_login_at = signed_in.at from (
      select user_id, max(login_time) as at from login_log where login_status = 'Success' group by user_id
    ) as signed_in where users.id = signed_in.user_id`);
  await tx.execute(`
    update memberships set last_login_at = signed_in.at from (
      select network_id, user_id, max(login_time) as at from login_log where login_status = 'Success' group by 1, 2
    ) as signed_in where signed_in.network_id = memberships.network_id and signed_in.user_id = memberships.user_id`);
};

/** The counters of the log are written with its lines, so they still contain the deleted ones. */
const recountLog = async (tx: Transaction): Promise<void> => {
  await tx.execute('truncate login_log_days, login_log_names, login_log_hours, login_log_backfill');
  await tx.execute(`
    insert into login_log_days (network_id, day, login_status, lines)
    select network_id, (login_time at time zone 'UTC')::date, login_status, count(*) from login_log group by 1, 2, 3`);
  await tx.execute(`
    insert into login_log_names (network_id, kind, name, succeeded, failed)
    select network_id, kind, name, count(*) filter (where login_status = 'Success'), count(*) filter (where login_status = 'Failed')
    from login_log cross join lateral (values ('email', lower(email)), ('site', lower(site)), ('address', host(ip_address))) as named (kind, name)
    where name is not null group by 1, 2, 3`);
  await tx.execute('insert into login_log_backfill (last_id) select last_value from login_log__id');
  await tx.execute('select count_earlier_login_log((select last_id from login_log_backfill))');
};
