-- Sites are listed by domain, also searched by name, and notified when their mode changes.

-- Two spellings of one address are one site: upper case, a trailing slash, or the default port.
drop index sites__identity;
drop index sites__acs;
create unique index sites__identity on sites
  (lower(rtrim(regexp_replace(identity, '^(https://[^/]+):443(?=/|$)|^(http://[^/]+):80(?=/|$)', '\1\2', 'i'), '/')));
create unique index sites__acs on sites
  (lower(rtrim(regexp_replace(acs, '^(https://[^/]+):443(?=/|$)|^(http://[^/]+):80(?=/|$)', '\1\2', 'i'), '/')));

alter table sites add column signed_requests boolean not null default true;

create index sites__network_id__domain on sites (network_id, domain, id) where kind = 'site';
create index sites__site_name__search on sites using gin (site_name gin_trgm_ops);
create index groups__description__search on groups using gin (description gin_trgm_ops);
create index groups__network_id__name__order on groups (network_id, name, id);
create index login_log__site_id on login_log (site_id, id desc);
create index login_log__user_id on login_log (user_id, id desc);

create table site_announcements (
  site_id      bigint primary key references sites on delete cascade,
  uid          text not null,
  mode         text not null check (mode in ('Open', 'Closed')),
  tries        integer not null default 0,
  outcome      text not null default '',
  changed_at   timestamptz not null default now(),
  last_try_at  timestamptz,
  delivered_at timestamptz
);
