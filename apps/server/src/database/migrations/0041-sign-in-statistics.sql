-- compatible-since: 0036
-- The numbers of the overview, so that it need not read the lines of the log or the rows of a million users.

-- The lines of the log per hour in UTC, with a column for each quarter of it: in some time zones, days begin at a quarter or at half past
-- an hour. Successes have no reason. A reason ends before its first colon: what follows is a code that another server has chosen.
create table login_log_hours (
  network_id   bigint not null,
  hour         timestamptz not null,
  login_status text not null,
  reason       text not null,
  quarter_1    bigint not null,
  quarter_2    bigint not null,
  quarter_3    bigint not null,
  quarter_4    bigint not null,
  primary key (network_id, hour, login_status, reason)
) with (fillfactor = 70);

create function counted_reason(login_status text, reason text) returns text language sql immutable parallel safe as $$
  select case login_status when 'Success' then '' else split_part(reason, ':', 1) end
$$;

-- The same as in 0012, and the hours.
create or replace function count_login_log() returns trigger language plpgsql as $$
begin
  insert into login_log_days as counted (network_id, day, login_status, lines)
  select network_id, (login_time at time zone 'UTC')::date, login_status, count(*) from added group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, day, login_status) do update set lines = counted.lines + excluded.lines;
  insert into login_log_names as counted (network_id, kind, name, succeeded, failed)
  select network_id, kind, name, count(*) filter (where login_status = 'Success'), count(*) filter (where login_status = 'Failed')
  from added cross join lateral (values ('email', lower(email)), ('site', lower(site)), ('address', host(ip_address))) as named (kind, name)
  where name is not null group by 1, 2, 3 order by 1, 2, 3
  on conflict (network_id, kind, name) do update
    set succeeded = counted.succeeded + excluded.succeeded, failed = counted.failed + excluded.failed;
  insert into login_log_hours as counted (network_id, hour, login_status, reason, quarter_1, quarter_2, quarter_3, quarter_4)
  select network_id, hour, login_status, reason, count(*) filter (where quarter = 0), count(*) filter (where quarter = 1),
    count(*) filter (where quarter = 2), count(*) filter (where quarter = 3)
  from (
    select network_id, date_bin('1 hour', login_time, 'epoch') as hour, login_status, counted_reason(login_status, reason) as reason,
      floor(extract(epoch from login_time) / 900)::bigint % 4 as quarter
    from added
  ) as line
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (network_id, hour, login_status, reason) do update set
    quarter_1 = counted.quarter_1 + excluded.quarter_1, quarter_2 = counted.quarter_2 + excluded.quarter_2,
    quarter_3 = counted.quarter_3 + excluded.quarter_3, quarter_4 = counted.quarter_4 + excluded.quarter_4;
  return null;
end $$;

-- The lines that were written before are counted in the background, the newest first. `last_id` is the last of them that is not counted
-- yet; without a row, all are.
create table login_log_backfill (
  id      smallint primary key default 1 check (id = 1),
  last_id bigint not null
);

-- Counts some of these lines, and returns whether more may be left. The rows of the counters are locked only after the lines were counted,
-- so that sign-ins do not wait.
create function count_earlier_login_log(most bigint) returns boolean language plpgsql as $$
declare
  last bigint;
begin
  select last_id into last from login_log_backfill for update;
  if last is null then return false; end if;
  insert into login_log_hours as counted (network_id, hour, login_status, reason, quarter_1, quarter_2, quarter_3, quarter_4)
  select network_id, hour, login_status, reason, count(*) filter (where quarter = 0), count(*) filter (where quarter = 1),
    count(*) filter (where quarter = 2), count(*) filter (where quarter = 3)
  from (
    select network_id, date_bin('1 hour', login_time, 'epoch') as hour, login_status, counted_reason(login_status, reason) as reason,
      floor(extract(epoch from login_time) / 900)::bigint % 4 as quarter
    from login_log where id > last - most and id <= last
  ) as line
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (network_id, hour, login_status, reason) do update set
    quarter_1 = counted.quarter_1 + excluded.quarter_1, quarter_2 = counted.quarter_2 + excluded.quarter_2,
    quarter_3 = counted.quarter_3 + excluded.quarter_3, quarter_4 = counted.quarter_4 + excluded.quarter_4;
  if last > most then update login_log_backfill set last_id = last - most;
  else delete from login_log_backfill;
  end if;
  return last > most;
end $$;

-- The same as in 0012, and the hours.
create or replace function detach_login_log_before(day date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', day);
  beginning timestamptz := first::timestamp at time zone 'UTC';
  month text;
begin
  for month in
    select relname from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'login_log'::regclass and relname < 'login_log_' || to_char(first, 'YYYY_MM') and relname ~ '^login_log_\d{4}_\d\d$'
  loop
    execute format('alter table login_log detach partition %I', month);
  end loop;
  perform sum_login_log('login_log_default', beginning);
  delete from login_log_default where login_time < beginning;
  delete from login_log_days where login_log_days.day < first;
  delete from login_log_hours where login_log_hours.hour < beginning;
end $$;

-- What the overview says about the people of a large network; a job counts them. `unused` are some of the accounts that will be disabled
-- soon because nobody uses them.
create table people_counts (
  network_id   bigint primary key references networks on delete cascade,
  people       bigint not null,
  with_factor  bigint not null,
  with_passkey bigint not null,
  unused       bigint not null,
  unused_ids   bigint[] not null,
  counted_at   timestamptz not null
);

-- Waits until the sign-ins that are being written are committed, because they are not in the hours yet. After this lock, the trigger
-- counts every line, and all lines with earlier ids exist.
lock table login_log in share row exclusive mode;
insert into login_log_backfill (last_id) select last_value from login_log__id where exists (select from login_log);

-- A small log is counted at once.
do $$ begin
  if (select coalesce(sum(lines), 0) from login_log_days) <= 100000 then
    while count_earlier_login_log(1000000) loop null; end loop;
  end if;
end $$;
