-- The first schema: networks, people, sites, signing in, records.
--
-- Ids are integers because lists use them as cursors. Access to a row is decided by its network, never by whether an id can
-- be guessed. Unique constraints, not a query before the insert, decide whether a record already exists.

create extension if not exists pg_trgm;

create table networks (
  id         bigint generated always as identity primary key,
  sso_id     text not null constraint networks__sso_id unique,
  name       text not null constraint networks__name unique,
  mode       text not null default 'AdminManaged' check (mode in ('AdminManaged', 'All', 'Visited')),
  created_at timestamptz not null default now()
);

create table network_settings (
  network_id          bigint primary key references networks on delete cascade,
  logo                text,
  background          text,
  footer              text,
  footer_link         text,
  footer_type         text not null default 'Logo' check (footer_type in ('Logo', 'Custom')),
  custom_footer       text,
  linkedin_key        text,
  linkedin_secret     bytea,
  facebook_key        text,
  facebook_secret     bytea,
  google_key          text,
  google_secret       bytea,
  twitter_key         text,
  twitter_secret      bytea,
  github_key          text,
  github_secret       bytea,
  password_expiration smallint not null default 0 check (password_expiration in (0, 1, 3, 6)),
  password_history    smallint not null default 3 check (password_history in (3, 6, 9)),
  password_length     smallint check (password_length in (8, 16, 32)),
  password_complexity text[] not null default '{}'
    check (password_complexity <@ array['lowerletter', 'upperletter', 'number', 'special']),
  user_inactivity     integer not null default 0 check (user_inactivity >= 0),
  failed_tries        integer not null default 10 check (failed_tries >= 0),
  mfa                 text not null default 'Disable' check (mfa in ('Enable', 'Disable')),
  mfa_options         text[] not null default '{}' check (mfa_options <@ array['google', 'email'])
);

create table email_templates (
  network_id bigint not null references networks on delete cascade,
  kind       text not null check (kind in ('invitation', 'ex_user_invitation', 'signup', 'reset', 'resend', 'emailmfa')),
  in_use     boolean not null default false,
  design     jsonb,
  html       text,
  primary key (network_id, kind)
);

create table signing_keys (
  id          bigint generated always as identity primary key,
  network_id  bigint not null references networks on delete cascade,
  state       text not null check (state in ('current', 'next', 'retired')),
  private_key bytea not null,
  certificate text not null,
  created_at  timestamptz not null default now()
);
create unique index signing_keys__network_id__state on signing_keys (network_id, state) where state <> 'retired';

create table users (
  id                  bigint generated always as identity primary key,
  uid                 text not null constraint users__uid unique,
  email               text not null constraint users__email unique check (email = lower(email)),
  firstname           text not null default '',
  lastname            text not null default '',
  fullname            text not null generated always as (btrim(firstname || ' ' || lastname)) stored,
  picture             text,
  password_hash       text,
  password_changed_at timestamptz,
  status              text not null default 'NonConfirmed' check (status in ('Confirmed', 'NonConfirmed')),
  user_mode           text not null default 'Active' check (user_mode in ('Active', 'Disable')),
  bypass_inactivity   boolean not null default false,
  email_mfa           boolean not null default false,
  home_network_id     bigint not null references networks,
  default_network_id  bigint not null references networks,
  last_login_at       timestamptz,
  created_at          timestamptz not null default now()
);
create index users__home_network_id on users (home_network_id);

create table password_history (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  password_hash text not null,
  created_at    timestamptz not null default now()
);
create index password_history__user_id on password_history (user_id, id desc);

create table profile_pictures (
  name       text primary key,
  user_id    bigint not null references users on delete cascade,
  created_at timestamptz not null default now()
);
create index profile_pictures__user_id on profile_pictures (user_id);

create table memberships (
  network_id bigint not null references networks on delete cascade,
  user_id    bigint not null references users on delete cascade,
  created_at timestamptz not null default now(),
  primary key (network_id, user_id)
);
create index memberships__user_id on memberships (user_id);

create table owners (
  id         bigint generated always as identity primary key,
  network_id bigint not null references networks on delete cascade,
  email      text not null check (email = lower(email)),
  created_at timestamptz not null default now(),
  constraint owners__network_id__email unique (network_id, email)
);
create index owners__email on owners (email);

create table groups (
  id          bigint generated always as identity primary key,
  network_id  bigint not null references networks on delete cascade,
  name        text not null,
  description text not null,
  created_at  timestamptz not null default now()
);
create unique index groups__network_id__name on groups (network_id, lower(name));

create table sites (
  id                    bigint generated always as identity primary key,
  network_id            bigint not null references networks on delete cascade,
  kind                  text not null default 'site' check (kind in ('site', 'console')),
  identity              text not null,
  acs                   text not null,
  sls                   text not null,
  domain                text not null,
  update_url            text,
  certificate           text,
  site_name             text not null,
  login_url             text,
  status                text not null default 'Active' check (status in ('Active', 'Disable')),
  site_mode             text not null default 'Open' check (site_mode in ('Open', 'Closed')),
  closed_message        text,
  message_title         text,
  message               text,
  domain_level_settings boolean not null default true,
  terms_of_use          text,
  privacy_statement     text,
  help_email            text,
  mfa                   text not null default 'Disable' check (mfa in ('Enable', 'Disable')),
  auth_options          text[] not null default '{}',
  custom_auth_options   text[] not null default '{}',
  email_login           boolean not null default true,
  icon                  text,
  icon_bg               text,
  icon_color            text,
  icon_background       text,
  icon_width            smallint not null default 61,
  icon_height           smallint not null default 61,
  text_color            text,
  text_background       text,
  logo                  text,
  background            text,
  desktop_position      integer,
  created_at            timestamptz not null default now()
);
-- Unique across all networks: otherwise somebody could register the site of another network with their own address and
-- receive its users.
create unique index sites__identity on sites (lower(rtrim(identity, '/')));
create unique index sites__acs on sites (lower(rtrim(acs, '/')));
create unique index sites__network_id__kind on sites (network_id) where kind = 'console';
create index sites__network_id__desktop_position on sites (network_id, desktop_position);

create table group_users (
  id       bigint generated always as identity primary key,
  group_id bigint not null references groups on delete cascade,
  user_id  bigint not null references users on delete cascade,
  constraint group_users__group_id__user_id unique (group_id, user_id)
);
create index group_users__user_id on group_users (user_id);

create table group_sites (
  id       bigint generated always as identity primary key,
  group_id bigint not null references groups on delete cascade,
  site_id  bigint not null references sites on delete cascade,
  constraint group_sites__group_id__site_id unique (group_id, site_id)
);
create index group_sites__site_id on group_sites (site_id);

create table site_visits (
  user_id bigint not null references users on delete cascade,
  site_id bigint not null references sites on delete cascade,
  last_at timestamptz not null default now(),
  primary key (user_id, site_id)
);
create index site_visits__site_id on site_visits (site_id);

create table identity_sessions (
  id               bigint generated always as identity primary key,
  token_hash       bytea not null constraint identity_sessions__token_hash unique,
  session_index    text not null constraint identity_sessions__session_index unique,
  user_id          bigint not null references users on delete cascade,
  login_from       text not null,
  authenticated_at timestamptz not null,
  last_seen_at     timestamptz not null default now(),
  created_at       timestamptz not null default now()
);
create index identity_sessions__user_id on identity_sessions (user_id);

create table identity_session_sites (
  session_id     bigint not null references identity_sessions on delete cascade,
  site_id        bigint not null references sites on delete cascade,
  name_id        text not null,
  name_id_format text not null,
  primary key (session_id, site_id)
);
create index identity_session_sites__site_id on identity_session_sites (site_id);

create table console_sessions (
  id                  bigint generated always as identity primary key,
  token_hash          bytea not null constraint console_sessions__token_hash unique,
  user_id             bigint not null references users on delete cascade,
  session_index       text not null,
  name_id             text not null,
  selected_network_id bigint not null references networks on delete cascade,
  login_from          text not null,
  authenticated_at    timestamptz not null,
  last_seen_at        timestamptz not null default now(),
  created_at          timestamptz not null default now()
);
create index console_sessions__user_id on console_sessions (user_id);
create index console_sessions__session_index on console_sessions (session_index);

create table sign_ins (
  id               bigint generated always as identity primary key,
  token_hash       bytea not null constraint sign_ins__token_hash unique,
  browser_hash     bytea not null,
  network_id       bigint not null references networks on delete cascade,
  site_id          bigint not null references sites on delete cascade,
  request_id       text,
  name_id_format   text,
  relay_state      text,
  is_forced        boolean not null default false,
  user_id          bigint references users on delete cascade,
  login_from       text,
  authenticated_at timestamptz,
  expires_at       timestamptz not null,
  created_at       timestamptz not null default now()
);
create index sign_ins__expires_at on sign_ins (expires_at);

create table logouts (
  id                bigint generated always as identity primary key,
  token_hash        bytea not null constraint logouts__token_hash unique,
  network_id        bigint not null references networks on delete cascade,
  asking_site_id    bigint references sites on delete cascade,
  asking_request_id text,
  relay_state       text,
  is_post           boolean not null default false,
  waiting           jsonb not null,
  request_id        text,
  told_site_id      bigint,
  failed            text[] not null default '{}',
  expires_at        timestamptz not null,
  created_at        timestamptz not null default now()
);
create index logouts__expires_at on logouts (expires_at);

create table saml_replays (
  message_id text primary key,
  expires_at timestamptz not null
);
create index saml_replays__expires_at on saml_replays (expires_at);

create table throttles (
  key           text primary key,
  failures      integer not null,
  refused       integer not null default 0,
  blocked_until timestamptz,
  updated_at    timestamptz not null default now()
);
create index throttles__updated_at on throttles (updated_at);

create table one_time_tokens (
  id         bigint generated always as identity primary key,
  token_hash bytea not null constraint one_time_tokens__token_hash unique,
  user_id    bigint not null references users on delete cascade,
  network_id bigint not null references networks on delete cascade,
  purpose    text not null check (purpose in ('activation', 'reset')),
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default now()
);
create index one_time_tokens__user_id on one_time_tokens (user_id);

-- No foreign keys: a line is kept after its site or its user is deleted.
create table login_log (
  id           bigint generated always as identity primary key,
  network_id   bigint not null,
  site_id      bigint,
  user_id      bigint,
  email        text,
  site         text not null,
  login_status text not null check (login_status in ('Success', 'Failed')),
  reason       text not null,
  ip_address   inet not null,
  login_time   timestamptz not null default now()
);
create index login_log__network_id on login_log (network_id, id desc);

create table audit_records (
  id             bigint generated always as identity primary key,
  network_id     bigint,
  actor_id       bigint,
  actor          text not null,
  audit_type     text not null,
  action         text not null,
  description    text not null,
  old_data       jsonb,
  new_data       jsonb,
  ip_address     inet,
  claimed_user   text,
  claimed_source text,
  created_at     timestamptz not null default now()
);
create index audit_records__network_id on audit_records (network_id, id desc);

create table images (
  id          bigint generated always as identity primary key,
  network_id  bigint not null references networks on delete cascade,
  kind        text not null check (kind in ('image', 'icon')),
  name        text not null constraint images__name unique,
  media_type  text not null,
  size        integer not null,
  width       integer not null,
  height      integer not null,
  alt_text    text not null default '',
  title       text not null default '',
  caption     text not null default '',
  description text not null default '',
  created_at  timestamptz not null default now()
);
create index images__network_id__kind on images (network_id, kind, id desc);

create table installation (
  id                  smallint primary key check (id = 1),
  first_owner_at      timestamptz,
  console_private_key bytea,
  console_certificate text
);
insert into installation (id) values (1);

-- Lists are searched by any part of a name.
create index networks__name__search on networks using gin (name gin_trgm_ops);
create index sites__domain__search on sites using gin (domain gin_trgm_ops);
create index users__email__search on users using gin (email gin_trgm_ops);
create index users__fullname__search on users using gin (fullname gin_trgm_ops);
create index groups__name__search on groups using gin (name gin_trgm_ops);
