-- compatible-since: 0036
-- Whether the server can reach the address of a site to which people are sent after signing in. The state belongs to the address, and is
-- not a part of sites, whose updates invalidate the caches of all servers.
create table site_checks (
  site_id       bigint primary key references sites on delete cascade,
  url           text not null,
  next_at       timestamptz not null,
  tried_at      timestamptz,
  outcome       text check (outcome in ('reached', 'failed', 'skipped')),
  -- Why the address was not reached, as a sentence; empty if it was.
  detail        text not null default '',
  reached_at    timestamptz,
  -- Failed attempts since the address was last reached.
  failures      integer not null default 0,
  failing_since timestamptz
);

alter table sites
  -- Whether the address is checked.
  add column checks_reachability boolean not null default true,
  -- Whether the tile says so while the address cannot be reached.
  add column shows_unreachable boolean not null default false;
