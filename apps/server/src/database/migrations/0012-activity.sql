-- Partitions the login log by month: old lines are dropped a month at a time, and a page is read from the newest partitions.
alter table login_log rename to login_log_before;
alter index login_log__network_id rename to login_log_before__network_id;
alter index login_log__site_id rename to login_log_before__site_id;
alter index login_log__user_id rename to login_log_before__user_id;

-- An explicit sequence: identity columns of partitioned tables exist only since PostgreSQL 17.
create sequence login_log__id;
create table login_log (
  id           bigint not null default nextval('login_log__id'),
  network_id   bigint not null,
  site_id      bigint,
  user_id      bigint,
  email        text,
  site         text not null,
  login_status text not null check (login_status in ('Success', 'Failed')),
  reason       text not null,
  ip_address   inet not null,
  user_agent   text not null default '',
  mfa          text,
  session_id   bigint,
  login_time   timestamptz not null default now()
) partition by range (login_time);
create index login_log__network_id on login_log (network_id, login_time desc, id desc);
create index login_log__site_id on login_log (site_id, login_time desc, id desc);
create index login_log__user_id on login_log (user_id, login_time desc, id desc);
create index login_log__by_id on login_log (id);
create index login_log__email on login_log (lower(email) collate "C");
create index login_log__site on login_log (lower(site) collate "C");
create index login_log__ip_address on login_log (host(ip_address) collate "C");
alter sequence login_log__id owned by login_log.id;

-- A line whose month has no partition yet is written to the default partition.
create table login_log_default partition of login_log default;

create function add_login_log_month(day date) returns void language plpgsql as $$
declare
  first date := date_trunc('month', day);
  beginning timestamptz := first::timestamp at time zone 'UTC';
  ending timestamptz := (first + interval '1 month') at time zone 'UTC';
  month text := 'login_log_' || to_char(first, 'YYYY_MM');
begin
  perform pg_advisory_xact_lock(hashtext('add_login_log_month'));
  if to_regclass(month) is not null then return; end if;
  execute format('create table %I (like login_log including defaults including constraints)', month);
  execute format('with moved as (delete from login_log_default where login_time >= %L and login_time < %L returning *)
    insert into %I select * from moved', beginning, ending, month);
  execute format('alter table login_log attach partition %I for values from (%L) to (%L)', month, beginning, ending);
end $$;

-- The number of lines per day, so that the total of ten million lines need not be counted.
create table login_log_days (
  network_id   bigint not null,
  day          date not null,
  login_status text not null,
  lines        bigint not null,
  primary key (network_id, day, login_status)
);

-- The number of lines per email, site and IP address, in lower case, for searching.
create table login_log_names (
  network_id bigint not null,
  kind       text not null check (kind in ('email', 'site', 'address')),
  name       text collate "C" not null,
  succeeded  bigint not null,
  failed     bigint not null,
  primary key (network_id, kind, name)
) with (fillfactor = 80);
create index login_log_names__name on login_log_names using gin (name gin_trgm_ops);

create function count_login_log() returns trigger language plpgsql as $$
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
  return null;
end $$;
create trigger count_login_log after insert on login_log
  referencing new table as added for each statement execute function count_login_log();

-- Drops months that ended before a given day, in three steps, so that concurrent sign-ins do not wait. First the partitions are
-- detached; then their lines are summed by name and they are dropped; then the sums are subtracted from the counters, in batches.
create table login_log_gone (
  network_id bigint not null,
  kind       text not null,
  name       text not null,
  succeeded  bigint not null,
  failed     bigint not null
);

create function sum_login_log(month text, beginning timestamptz) returns void language plpgsql as $$
begin
  execute format('
    insert into login_log_gone (network_id, kind, name, succeeded, failed)
    select network_id, kind, name, count(*) filter (where login_status = ''Success''), count(*) filter (where login_status = ''Failed'')
    from %I cross join lateral (values (''email'', lower(email)), (''site'', lower(site)), (''address'', host(ip_address))) as named (kind, name)
    where name is not null and login_time < %L group by 1, 2, 3', month, beginning);
end $$;

create function detach_login_log_before(day date) returns void language plpgsql as $$
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
end $$;

create function drop_detached_login_log() returns void language plpgsql as $$
declare
  month text;
begin
  for month in select relname from pg_class where relkind = 'r' and not relispartition and relname ~ '^login_log_\d{4}_\d\d$'
  loop
    perform sum_login_log(month, 'infinity');
    execute format('drop table %I', month);
  end loop;
end $$;

create function forget_login_log_names(most integer) returns bigint language sql as $$
  with piece as (
    delete from login_log_gone where ctid = any (array(select ctid from login_log_gone limit most)) returning *
  ), gone as (
    select network_id, kind, name, sum(succeeded) as succeeded, sum(failed) as failed from piece group by 1, 2, 3
  ), counted as (
    update login_log_names as counted set succeeded = counted.succeeded - gone.succeeded, failed = counted.failed - gone.failed
    from gone where (counted.network_id, counted.kind, counted.name) = (gone.network_id, gone.kind, gone.name)
  )
  select count(*) from piece
$$;

select add_login_log_month(month::date) from generate_series(
  coalesce((select date_trunc('month', min(login_time)) from login_log_before), date_trunc('month', now())),
  date_trunc('month', now()) + interval '2 months', interval '1 month') as month;
insert into login_log (id, network_id, site_id, user_id, email, site, login_status, reason, ip_address, login_time)
  select id, network_id, site_id, user_id, email, site, login_status, reason, ip_address, login_time from login_log_before;
select setval('login_log__id', greatest((select max(id) from login_log_before), 1));
drop table login_log_before;
