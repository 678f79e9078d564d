-- A sign-in gets a second secret for its browser once somebody is known in it. Whoever began it and handed its first cookie to
-- that person (session fixation) cannot go on as them.
alter table sign_ins add column known_hash bytea;

-- Mailed codes are switched on only after one has arrived. The code is bound to the console session in which it was asked for.
create table email_mfa_codes (
  session_id bigint primary key references console_sessions on delete cascade,
  code_mac   text not null,
  tries      smallint not null default 0,
  expires_at timestamptz not null
);

-- Owners have some days of grace until they need a second factor. They begin with this version, not before.
alter table installation add column owner_mfa_since timestamptz not null default now();
