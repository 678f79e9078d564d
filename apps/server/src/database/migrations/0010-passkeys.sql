-- Keys that people's own devices hold: a second factor, and with the device's own lock both factors in one.
create table passkeys (
  id            bigint generated always as identity primary key,
  user_id       bigint not null references users on delete cascade,
  credential_id bytea not null,
  public_key    bytea not null,
  -- Some devices count their answers; one that has gone back speaks of a copy.
  counter       bigint not null default 0,
  transports    text[] not null default '{}',
  name          text not null,
  backed_up     boolean not null default false,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create unique index passkeys__credential_id on passkeys (credential_id);
create index passkeys__user_id on passkeys (user_id);

-- What devices know an account by: random, so that it says nothing of whose it is. Made with the first passkey.
alter table users add column passkey_handle bytea;

-- What a passkey has to sign in this sign-in. Used, another takes its place. By the database, since a server of the version
-- before makes sign-ins too.
alter table sign_ins add column passkey_challenge bytea not null
  default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

-- A passkey that is being made: a newer one takes its place, and it ends with the session in which it was begun.
create table pending_passkeys (
  session_id bigint primary key references console_sessions on delete cascade,
  challenge  bytea not null,
  expires_at timestamptz not null
);
