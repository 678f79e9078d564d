-- The second factor: an authenticator app, of which each code is valid once, and recovery codes.
alter table users
  add column totp_secret bytea,
  add column totp_last_step bigint,
  -- Updated whenever the password or a second factor changes: devices that were remembered before are no longer trusted.
  add column credentials_at timestamptz not null default now();

-- A secret that was shown and not confirmed yet.
create table pending_totp (
  user_id    bigint primary key references users on delete cascade,
  secret     bytea not null,
  expires_at timestamptz not null
);

create table recovery_codes (
  id        bigint generated always as identity primary key,
  user_id   bigint not null references users on delete cascade,
  code_hash bytea not null,
  used_at   timestamptz
);
create unique index recovery_codes__user_id__code_hash on recovery_codes (user_id, code_hash);

-- A mailed code belongs to one sign-in; a newer one replaces it.
create table sign_in_codes (
  sign_in_id bigint primary key references sign_ins on delete cascade,
  code_mac   text not null,
  tries      smallint not null default 0,
  expires_at timestamptz not null,
  used_at    timestamptz
);

-- The identity of a person at another provider.
create table social_identities (
  id         bigint generated always as identity primary key,
  user_id    bigint not null references users on delete cascade,
  provider   text not null,
  subject    text not null,
  created_at timestamptz not null default now()
);
create unique index social_identities__provider__subject on social_identities (provider, subject);
create index social_identities__user_id on social_identities (user_id);

alter table sign_ins
  -- How the second factor was proven; null before that.
  add column mfa text check (mfa in ('totp', 'email', 'recovery', 'passkey', 'device')),
  -- The values that were sent to a social login, to be compared with its answer.
  add column social jsonb;

alter table identity_sessions
  add column mfa text check (mfa in ('totp', 'email', 'recovery', 'passkey', 'device')),
  add column ip_address inet,
  add column user_agent text;

alter table network_settings
  -- Whether people can create an account on the sign-in page.
  add column sign_up text not null default 'Disable' check (sign_up in ('Enable', 'Disable')),
  -- Days for which a device can skip the second factor; 0 means never.
  add column mfa_remember_days smallint not null default 0 check (mfa_remember_days between 0 and 90);
