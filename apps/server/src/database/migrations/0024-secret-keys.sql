-- compatible-since: 0023
-- SECRET_KEY can be replaced while servers run. Encrypted values begin with the id of their key (format 2); older ones have none (format 1).
-- This table lists the keys that values may be encrypted with, so that a start can tell within milliseconds that one is missing. A row is
-- inserted before the first value is encrypted with its key, and `npm run rekey` deletes it when no value needs the key any more. The
-- trigger refuses a value whose key is not listed: a server that was forgotten during the change gets an error instead of storing a
-- value that nobody could read later. Adding the triggers takes milliseconds at any size, and waits for transactions that write to the tables.
create table secret_keys (
  key_id         text primary key,
  -- Values of format 1 belong to the key that the installation had before this migration.
  seals_format_1 boolean not null default false,
  -- Servers renew this while they encrypt with the key; null if none has.
  last_used_at   timestamptz,
  created_at     timestamptz not null default now()
);

-- Persistent NameIDs get a key of their own, so that a new SECRET_KEY does not change them. The server fills it in at its next start: the
-- key is derived from SECRET_KEY, which the database does not know.
alter table installation add column name_id_key bytea;

-- The arguments are the names of the encrypted columns. The lock keeps the row of the key until the value is committed.
create function assert_secret_key_in_use() returns trigger language plpgsql as $$
declare
  name text;
  value bytea;
  former bytea;
begin
  foreach name in array tg_argv loop
    execute format('select ($1).%I', name) into value using new;
    continue when value is null;
    if tg_op = 'UPDATE' then
      execute format('select ($1).%I', name) into former using old;
      continue when value = former;
    end if;
    if substring(value from 1 for 1) = '\x01' then
      perform from secret_keys where seals_format_1 for key share;
    else
      perform from secret_keys where substring(value from 1 for 1) = '\x02' and key_id = encode(substring(value from 2 for 8), 'hex') for key share;
    end if;
    -- The table is empty until the first start of this version, while servers of the version before still write.
    if not found and exists (select from secret_keys) then
      raise exception using
        errcode = 'check_violation',
        constraint = 'secret_keys__in_use',
        message = format('%s.%s: the secret key of this value is not in use any more', tg_table_name, name),
        hint = 'Restart this server with the SECRET_KEYS of the other servers.';
    end if;
  end loop;
  return new;
end $$;

create trigger assert_secret_key_in_use before insert or update of console_private_key, name_id_key on installation
  for each row execute function assert_secret_key_in_use('console_private_key', 'name_id_key');
create trigger assert_secret_key_in_use before insert or update of private_key on signing_keys
  for each row execute function assert_secret_key_in_use('private_key');
create trigger assert_secret_key_in_use
  before insert or update of linkedin_secret, facebook_secret, google_secret, twitter_secret, github_secret on network_settings
  for each row execute function assert_secret_key_in_use('linkedin_secret', 'facebook_secret', 'google_secret', 'twitter_secret', 'github_secret');
create trigger assert_secret_key_in_use before insert or update of totp_secret on users
  for each row execute function assert_secret_key_in_use('totp_secret');
create trigger assert_secret_key_in_use before insert or update of secret on pending_totp
  for each row execute function assert_secret_key_in_use('secret');
