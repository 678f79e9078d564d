-- Until now an invitation made an account at once, and the network that typed an address first became its home: its owner could
-- lock, rename or un-confirm a person who never dealt with that network. From now on an invitation is a row of users that belongs
-- to the inviting network alone and is marked provisional. It cannot sign in and owns nothing. The person turns it into their
-- account by confirming it, or, if they have an account, accepts it on their profile and it is merged into that account. An address
-- has at most one account and at most one invitation in each network.
alter table users add column provisional boolean not null default false;
alter table users drop constraint users__email;
create unique index users__email on users (email) where not provisional;
create unique index users__email__home_network_id on users (email, home_network_id) where provisional;

-- An owner's decision about a member applies in the owner's network. users.status and users.user_mode apply to the whole account.
alter table memberships
  add column status text not null default 'Confirmed' check (status in ('Confirmed', 'NonConfirmed')),
  add column user_mode text not null default 'Active' check (user_mode in ('Active', 'Disable')),
  -- Sign-ins from before this moment are not accepted at the sites of the network.
  add column sessions_ended_at timestamptz;

alter table network_settings
  add column session_idle_minutes smallint not null default 30 check (session_idle_minutes between 5 and 1440),
  add column session_hours smallint not null default 10 check (session_hours between 1 and 168);

-- The counters contain what owners see: a member is confirmed, or active, only where account and membership both are. The words sort
-- so that the greater one is the refusing one: Confirmed < NonConfirmed, Active < Disable.
create or replace function count_members() returns trigger language plpgsql as $$
begin
  -- Waits for a concurrent change of the account, or makes it wait.
  perform from users where id in (select user_id from changed) order by id for share;
  insert into member_counts as counted (network_id, status, user_mode, members)
  select changed.network_id, greatest(users.status, changed.status), greatest(users.user_mode, changed.user_mode),
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join users on users.id = changed.user_id
  -- Memberships are deleted together with their network.
  where exists (select from networks where networks.id = changed.network_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, status, user_mode) do update set members = counted.members + excluded.members;
  return null;
end $$;

create or replace function recount_member() returns trigger language plpgsql as $$
begin
  insert into member_counts as counted (network_id, status, user_mode, members)
  select network_id, greatest(moved.status, memberships.status), greatest(moved.user_mode, memberships.user_mode), sum(moved.members)
  from memberships
  cross join (values (old.status, old.user_mode, -1), (new.status, new.user_mode, 1)) as moved (status, user_mode, members)
  where user_id = new.id group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, status, user_mode) do update set members = counted.members + excluded.members;
  return null;
end $$;

create function recount_membership() returns trigger language plpgsql as $$
begin
  perform from users where id = new.user_id for share;
  insert into member_counts as counted (network_id, status, user_mode, members)
  select new.network_id, greatest(users.status, moved.status), greatest(users.user_mode, moved.user_mode), sum(moved.members)
  from users
  cross join (values (old.status, old.user_mode, -1), (new.status, new.user_mode, 1)) as moved (status, user_mode, members)
  where users.id = new.user_id group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, status, user_mode) do update set members = counted.members + excluded.members;
  return null;
end $$;
create trigger recount_membership after update of status, user_mode on memberships for each row
  when ((old.status, old.user_mode) is distinct from (new.status, new.user_mode)) execute function recount_membership();

-- Accounts that never had a way to sign in become invitations: one for each network that has invited them.
update users set provisional = true
where password_hash is null
  and not exists (select from social_identities where social_identities.user_id = users.id)
  and not exists (select from passkeys where passkeys.user_id = users.id);
update users set home_network_id = (select min(network_id) from memberships where user_id = users.id)
where provisional and exists (select from memberships where user_id = users.id)
  and not exists (select from memberships where user_id = users.id and network_id = users.home_network_id);

-- The home network is the one whose link was confirmed, where that is still known.
update users set home_network_id = confirmed.network_id
from (
  select distinct on (user_id) user_id, network_id from one_time_tokens
  where purpose = 'activation' and used_at is not null order by user_id, used_at
) as confirmed
where confirmed.user_id = users.id and not users.provisional
  and exists (select from memberships where user_id = users.id and network_id = confirmed.network_id);

-- Until now an invitation made an existing account a member at once. People who have neither used nor own such a network are asked
-- again.
update memberships set status = 'NonConfirmed'
from users
where users.id = memberships.user_id and not users.provisional and users.home_network_id <> memberships.network_id
  and not exists (select from owners where owners.network_id = memberships.network_id and owners.email = users.email)
  and not exists (
    select from site_visits join sites on sites.id = site_visits.site_id
    where site_visits.user_id = users.id and sites.network_id = memberships.network_id);

-- Deletes invitations that no network lists: they would keep their network from inviting the address again.
delete from users where provisional and not exists (select from memberships where user_id = users.id);
update users set default_network_id = home_network_id
where not exists (select from memberships where user_id = users.id and network_id = users.default_network_id);

create temporary table split on commit drop as
select memberships.network_id, users.id as user_id, replace(gen_random_uuid()::text, '-', '') as uid, users.email, users.firstname,
  users.lastname, users.status, users.user_mode, memberships.created_at
from memberships join users on users.id = memberships.user_id
where users.provisional and memberships.network_id <> users.home_network_id;
delete from memberships using split where memberships.network_id = split.network_id and memberships.user_id = split.user_id;
insert into users (uid, email, firstname, lastname, status, user_mode, home_network_id, default_network_id, provisional, created_at)
select uid, email, firstname, lastname, status, user_mode, network_id, network_id, true, created_at from split;
insert into memberships (network_id, user_id, created_at)
select split.network_id, users.id, split.created_at from split join users on users.uid = split.uid;
update group_users set user_id = users.id
from groups, split, users
where groups.id = group_users.group_id and split.network_id = groups.network_id and split.user_id = group_users.user_id
  and users.uid = split.uid;
update one_time_tokens set user_id = users.id
from split, users
where split.user_id = one_time_tokens.user_id and split.network_id = one_time_tokens.network_id and users.uid = split.uid;
