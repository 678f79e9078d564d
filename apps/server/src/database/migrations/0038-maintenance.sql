-- compatible-since: 0036
-- Planned maintenance of a site: when it is closed and opened again, and the group that may enter it meanwhile.
alter table sites
  add column closes_at timestamptz,
  add column opens_at timestamptz,
  add column testers_group_id bigint references groups (id) on delete set null,
  add constraint sites__maintenance check (opens_at > closes_at);
create index sites__closes_at on sites (closes_at) where closes_at is not null;
create index sites__opens_at on sites (opens_at) where opens_at is not null;
create index sites__testers_group_id on sites (testers_group_id) where testers_group_id is not null;
