-- A sign-in gets a second secret for its browser once a person is identified. An attacker who began the sign-in and planted its
-- first cookie in that person's browser (session fixation) cannot continue as them.
alter table sign_ins add column known_hash bytea;

-- Email codes can be turned on only with a mailed code. It is bound to the console session that requested it.
create table email_mfa_codes (
  session_id bigint primary key references console_sessions on delete cascade,
  code_mac   text not null,
  tries      smallint not null default 0,
  expires_at timestamptz not null
);

-- The grace period of owners without a second factor begins with the installation of this version, not before.
alter table installation add column owner_mfa_since timestamptz not null default now();
