-- compatible-since: 0035
-- Why a sign-in at a site failed is often a value that differs between the application and its registration. The recent exchanges with each
-- site are kept in a redacted form, so that owners can compare the two. Earlier versions write and read nothing here.
create table site_exchanges (
  id          bigint generated always as identity primary key,
  site_id     bigint not null references sites on delete cascade,
  -- The person who was signing in, if known. Shown only while the person is a member of the network.
  user_id     bigint references users on delete cascade,
  step        text not null check (step in ('request', 'decision', 'answer', 'token', 'userinfo', 'logout')),
  outcome     text not null check (outcome in ('refused', 'waiting', 'accepted')),
  code        text not null,
  -- Whether the application was proven: by a signature with a registered certificate, or by its secret or key.
  is_verified boolean not null,
  -- Equal exchanges are one row with a count.
  digest      text not null,
  times       integer not null default 1,
  first_at    timestamptz not null default now(),
  last_at     timestamptz not null default now(),
  -- What was received: names, addresses and lengths. Never a secret, code, token, signature or attribute value.
  facts       jsonb not null
);
create unique index site_exchanges__site_id__digest on site_exchanges (site_id, digest);
create index site_exchanges__user_id on site_exchanges (user_id) where user_id is not null;
create index site_exchanges__last_at on site_exchanges (last_at);

-- Requests of applications that are not registered in the network.
create table unknown_arrivals (
  id         bigint generated always as identity primary key,
  network_id bigint not null references networks on delete cascade,
  protocol   text not null check (protocol in ('saml', 'oidc')),
  -- The entity id or client id, and the address that the answer was to go to.
  identity   text not null,
  address    text not null,
  times      integer not null default 1,
  first_at   timestamptz not null default now(),
  last_at    timestamptz not null default now()
);
create unique index unknown_arrivals__network_id__protocol__identity__address on unknown_arrivals (network_id, protocol, identity, address);
create index unknown_arrivals__last_at on unknown_arrivals (last_at);

-- Until then, more exchanges of the site are kept. A change invalidates the cached site, so that every server notices it.
alter table sites add column watched_until timestamptz;
