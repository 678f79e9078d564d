-- compatible-since: 0036
-- When a member last signed in to a site of the network, so that a list of a million members can be sorted by it. Sign-ins to the console
-- count for the person's home network too. A column of its own, because the time in `users` would disclose sign-ins in other networks.
select 'alter table memberships add column last_login_at timestamptz' as statement
where not exists (select from pg_attribute where attrelid = 'memberships'::regclass and attname = 'last_login_at' and not attisdropped);

-- Created concurrently, because people are invited meanwhile. An interrupted attempt leaves an invalid index.
select 'drop index concurrently ' || indexrelid::regclass as statement from pg_index
where indexrelid in (to_regclass('memberships__network_id__last_login_at'), to_regclass('users__email__id')) and not indisvalid;

create index concurrently if not exists memberships__network_id__last_login_at on memberships
  (network_id, coalesce(last_login_at, '-infinity'), user_id);

create index concurrently if not exists users__email__id on users (email, id);

-- transaction
update memberships set last_login_at = known.last_login_at
from (
  select member.network_id, member.user_id, case
      when exists (select from memberships as other where other.user_id = member.user_id and other.network_id <> member.network_id)
      then visited.last_at
      else users.last_login_at
    end as last_login_at
  from memberships as member join users on users.id = member.user_id
  left join (
    select site_visits.user_id, sites.network_id, max(site_visits.last_at) as last_at
    from site_visits join sites on sites.id = site_visits.site_id group by 1, 2
  ) as visited on visited.user_id = member.user_id and visited.network_id = member.network_id
) as known
where known.network_id = memberships.network_id and known.user_id = memberships.user_id and known.last_login_at is not null;
