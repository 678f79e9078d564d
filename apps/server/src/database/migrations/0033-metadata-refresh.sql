-- compatible-since: 0029
-- Service providers change their addresses and certificates, and announce it in their metadata only. A site remembers the address of its
-- metadata, which is read again every day, so that owners learn about changes before people cannot sign in any more. Earlier versions
-- ignore the address and leave it as it is.
alter table sites add column metadata_url text;
create index sites__metadata_url on sites (metadata_url) where metadata_url is not null;

-- The state of reading it, in a table of its own: an update of sites would invalidate the cached site on every server. It belongs to the
-- address. If the site gets another one, it is deleted.
create table site_refreshes (
  site_id       bigint primary key references sites on delete cascade,
  url           text not null,
  next_at       timestamptz not null,
  tried_at      timestamptz,
  read_at       timestamptz,
  failures      integer not null default 0,
  failing_since timestamptz,
  failure       text not null default '',
  etag          text not null default '',
  last_modified text not null default '',
  -- The parameters that the metadata had when it was last read. They are compared with those of the site.
  found         jsonb,
  valid_until   timestamptz,
  -- The number of differences, for the list of sites.
  differences   integer not null default 0
);
create index site_refreshes__next_at on site_refreshes (next_at);

-- The mails about it, one row per site and matter, so that owners get only one about the same.
create table refresh_notices (
  site_id bigint not null references sites on delete cascade,
  kind    text not null check (kind in ('differences', 'failure', 'expiry')),
  digest  text not null,
  sent_at timestamptz not null default now(),
  primary key (site_id, kind, digest)
);
