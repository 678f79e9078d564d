-- compatible-since: 0036
-- Where servers keep images. Several servers on one database must use the same place, so each reports its own regularly, and a start with
-- another place than that of a running server is refused.
create table media_places (
  place         text primary key,
  -- The place in words, for messages.
  description   text not null,
  last_used_at  timestamptz not null default now()
);
