-- The number of members of a network, by status and mode, so that a page need not count a million rows.
create table member_counts (
  network_id bigint not null references networks on delete cascade,
  status     text not null,
  user_mode  text not null,
  members    bigint not null,
  primary key (network_id, status, user_mode)
);

create function count_members() returns trigger language plpgsql as $$
begin
  -- Waits for a concurrent change of the account, or makes it wait.
  perform from users where id in (select user_id from changed) order by id for share;
  insert into member_counts as counted (network_id, status, user_mode, members)
  select changed.network_id, status, user_mode, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join users on users.id = changed.user_id
  -- Memberships are deleted together with their network.
  where exists (select from networks where networks.id = changed.network_id)
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, status, user_mode) do update set members = counted.members + excluded.members;
  return null;
end $$;
create trigger count_added_members after insert on memberships
  referencing new table as changed for each statement execute function count_members();
create trigger count_removed_members after delete on memberships
  referencing old table as changed for each statement execute function count_members();

create function recount_member() returns trigger language plpgsql as $$
begin
  insert into member_counts as counted (network_id, status, user_mode, members)
  select network_id, status, user_mode, members
  from memberships cross join (values (old.status, old.user_mode, -1), (new.status, new.user_mode, 1)) as moved (status, user_mode, members)
  where user_id = new.id order by 1, 2, 3
  on conflict (network_id, status, user_mode) do update set members = counted.members + excluded.members;
  return null;
end $$;
create trigger recount_member after update of status, user_mode on users for each row
  when ((old.status, old.user_mode) is distinct from (new.status, new.user_mode)) execute function recount_member();

-- Before the account is deleted, because its status and mode are needed.
create function leave_networks() returns trigger language plpgsql as $$
begin
  delete from memberships where user_id = old.id;
  return old;
end $$;
create trigger leave_networks before delete on users for each row execute function leave_networks();

insert into member_counts (network_id, status, user_mode, members)
select network_id, status, user_mode, count(*) from memberships join users on users.id = user_id group by 1, 2, 3;
