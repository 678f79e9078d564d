-- compatible-since: 0035
-- An owner can test the sign-in to a site: in the browser of the owner, the answer to the application is shown before it is sent. A test
-- belongs to one person, one site and one browser. Earlier versions write and read nothing here, and do not pause sign-ins.
create table site_tests (
  id         bigint generated always as identity primary key,
  site_id    bigint not null references sites on delete cascade,
  user_id    bigint not null references users on delete cascade,
  -- The hash of the cookie that binds the test to the browser in which it was begun.
  token_hash bytea not null,
  state      text not null default 'waiting' check (state in ('waiting', 'signing_in', 'paused', 'refused', 'sent', 'stopped')),
  -- What was found out, as sentences. Bounded by the program.
  steps      jsonb not null default '[]',
  -- The decoded request without its signature values and its RelayState or state, until the answer is sent.
  request    text,
  -- The request that waits to be answered, in the form of a sign-in in progress.
  paused     jsonb,
  -- The hash of the authorization code that was sent.
  code_hash  bytea,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create unique index site_tests__site_id__user_id on site_tests (site_id, user_id);
create unique index site_tests__code_hash on site_tests (code_hash) where code_hash is not null;
create index site_tests__user_id on site_tests (user_id);
create index site_tests__expires_at on site_tests (expires_at);
