-- compatible-since: 0035
-- Sites that sign people in by OpenID Connect. Earlier versions would answer such a site by SAML, so they cannot share the database.
alter table sites
  add column protocol text not null default 'saml' check (protocol in ('saml', 'oidc')),
  -- The parameters of the OpenID Connect client. Its client id is in `identity`, which is unique.
  add column oidc jsonb,
  add check ((protocol = 'oidc') = (oidc is not null)),
  add check ((protocol = 'oidc') = (acs = '')),
  add check (protocol = 'saml' or kind = 'site');
-- The redirect addresses of a client need not be unique: codes are bound to their client.
drop index sites__acs;
create unique index sites__acs on sites
  (lower(rtrim(regexp_replace(acs, '^(https://[^/]+):443(?=/|$)|^(http://[^/]+):80(?=/|$)', '\1\2', 'i'), '/'))) where protocol = 'saml';

-- The secrets of clients are long random texts, so a plain hash protects them. Two may be valid while one replaces the other.
create table oidc_secrets (
  id          bigint generated always as identity primary key,
  site_id     bigint not null references sites on delete cascade,
  secret_hash bytea not null,
  -- The last characters, by which people recognise a secret.
  hint        text not null,
  created_at  timestamptz not null default now()
);
create index oidc_secrets__site_id on oidc_secrets (site_id);

-- The keys that sign tokens, one current key for each network and algorithm. Clients read the published keys again by themselves, so
-- that a key is replaced without them: the next one is published first, and signs a day later.
create table oidc_keys (
  id          bigint generated always as identity primary key,
  network_id  bigint not null references networks on delete cascade,
  algorithm   text not null check (algorithm in ('RS256', 'ES256')),
  state       text not null check (state in ('next', 'current', 'retired')),
  -- The thumbprint of the public key.
  kid         text not null unique,
  private_key bytea not null,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz
);
create unique index oidc_keys__network_id__algorithm__state on oidc_keys (network_id, algorithm, state) where state <> 'retired';
create index oidc_keys__network_id on oidc_keys (network_id);

create trigger assert_secret_key_in_use before insert or update of private_key on oidc_keys
  for each row execute function assert_secret_key_in_use('private_key');

-- What a person has granted to a site: everything that the site was registered for. The tokens of a grant end with it. A grant ends with
-- its session, unless the site has got refresh tokens for offline access; then it has no session.
create table oidc_grants (
  id         bigint generated always as identity primary key,
  -- The id in tokens.
  uid        text not null unique,
  site_id    bigint not null references sites on delete cascade,
  user_id    bigint not null references users on delete cascade,
  session_id bigint references identity_sessions on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index oidc_grants__session_id__site_id on oidc_grants (session_id, site_id);
create index oidc_grants__site_id on oidc_grants (site_id);
create index oidc_grants__user_id on oidc_grants (user_id);
create index oidc_grants__expires_at on oidc_grants (expires_at);

-- Codes, tokens, pushed requests and sign-ins in progress, by the hash of the value that a client or browser has.
create table oidc_artifacts (
  id_hash     bytea primary key,
  kind        text not null,
  network_id  bigint not null references networks on delete cascade,
  grant_id    bigint references oidc_grants on delete cascade,
  payload     jsonb not null,
  consumed_at timestamptz,
  expires_at  timestamptz not null
);
create index oidc_artifacts__grant_id on oidc_artifacts (grant_id);
create index oidc_artifacts__network_id on oidc_artifacts (network_id);
create index oidc_artifacts__expires_at on oidc_artifacts (expires_at);

-- The address of the application that the browser returns to after a logout that an application has begun.
alter table logouts add column post_logout_uri text;
