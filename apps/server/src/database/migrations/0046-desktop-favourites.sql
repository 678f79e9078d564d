-- compatible-since: 0036
-- The sites that a person has marked on the desktop. They are shown first there, in the order in which they were added.
create table desktop_favourites (
  user_id    bigint not null references users on delete cascade,
  site_id    bigint not null references sites on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, site_id)
);
create index desktop_favourites__site_id on desktop_favourites (site_id);
