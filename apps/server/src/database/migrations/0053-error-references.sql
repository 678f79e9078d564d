-- compatible-since: 0036
-- The error pages of a sign-in show a reference number. It is kept with what the page said, so that owners who are told the number find the
-- attempt. Earlier versions write and read nothing here.
create table error_references (
  id         bigint generated always as identity primary key,
  network_id bigint not null references networks on delete cascade,
  reference  text not null,
  site_id    bigint references sites on delete set null,
  -- The member of the network who was signing in, if known.
  user_id    bigint references users on delete set null,
  -- The line of the login log, if there is one.
  line_id    bigint,
  title      text not null,
  message    text not null,
  at         timestamptz not null default now()
);
-- The search always names the network, so it cannot find a number of another one.
create unique index error_references__network_id__reference on error_references (network_id, reference);
-- Each network keeps the newest ones.
create index error_references__network_id__id on error_references (network_id, (user_id is null), id desc);
create index error_references__at on error_references (at);
create index error_references__site_id on error_references (site_id) where site_id is not null;
create index error_references__user_id on error_references (user_id) where user_id is not null;
