-- compatible-since: 0024
-- A network replaces its signing key without a failed sign-in: the next key is published first, sites move to it one by one or all at
-- once, and the former key stays published until it is removed. Earlier versions sign every site with the current key, which is published
-- in any case, so they can share the database. They make RSA keys of 2,048 bits with certificates for ten years, which the defaults say.
alter table signing_keys
  add column algorithm   text not null default 'rsa-2048' check (algorithm in ('rsa-2048', 'rsa-3072', 'rsa-4096', 'ec-p256')),
  add column not_after   timestamptz not null default now() + interval '3650 days' - interval '1 minute',
  add column retired_at  timestamptz,
  -- The person whose own sign-ins are signed with this key until a time, to try it.
  add column tried_by    bigint references users on delete set null,
  add column tried_until timestamptz;
update signing_keys set
  not_after = created_at + interval '3650 days' - interval '1 minute',
  retired_at = case state when 'retired' then now() end;
create index signing_keys__tried_by on signing_keys (tried_by) where tried_by is not null;

-- The network is part of the reference, so that a site cannot use the key of another network.
alter table signing_keys add constraint signing_keys__network_id__id unique (network_id, id);
-- Null means the current key of the network.
alter table sites
  add column signing_key_id bigint,
  add constraint sites__signing_key_id foreign key (network_id, signing_key_id) references signing_keys (network_id, id);
create index sites__signing_key_id on sites (signing_key_id) where signing_key_id is not null;

-- When a sign-in at a site was last signed with a key. A row is updated at most once an hour.
create table signing_key_uses (
  key_id       bigint not null references signing_keys on delete cascade,
  site_id      bigint not null references sites on delete cascade,
  last_used_at timestamptz not null default now(),
  primary key (key_id, site_id)
);
create index signing_key_uses__site_id on signing_key_uses (site_id);

-- The mails about certificates that end soon, one row per certificate and step. The subject is 'key' for a key of the network, and
-- 'site:<id>' for a certificate of a site, because sites may share one.
create table expiry_notices (
  network_id  bigint not null references networks on delete cascade,
  subject     text not null,
  fingerprint text not null,
  days        smallint not null check (days in (60, 30, 7, 1)),
  sent_at     timestamptz not null default now(),
  primary key (network_id, subject, fingerprint, days)
);
