-- WebAuthn credentials on people's own devices: a second factor, or both factors in one if the device verifies its user.
create table passkeys (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  credential_id bytea not null,
  public_key    bytea not null,
  -- The signature counter, if the device has one. A counter that decreases indicates a copied key.
  counter       bigint not null default 0,
  transports    text[] not null default '{}',
  name          text not null,
  backed_up     boolean not null default false,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create unique index passkeys__credential_id on passkeys (credential_id);
create index passkeys__user_id on passkeys (user_id);

-- The WebAuthn user handle. It is random, so that it does not identify the person, and created with the first passkey.
alter table users add column passkey_handle bytea;

-- The challenge for a passkey in a sign-in. It is replaced once it is used. The database generates it, because a server of
-- the previous version inserts sign-ins too.
alter table sign_ins add column passkey_challenge bytea not null
  default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

-- The challenge of a passkey that is being created. A newer one replaces it, and it is deleted with its session.
create table pending_passkeys (
  session_id bigint primary key references console_sessions on delete cascade,
  challenge  bytea not null,
  expires_at timestamptz not null
);
