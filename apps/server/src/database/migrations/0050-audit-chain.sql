-- compatible-since: 0036
-- Records of the audit log are chained: each has a MAC of its content and of the MAC before it, with a key that the database does not
-- have in plain text. A record that is changed, deleted or added behind the program's back breaks the chain.
alter table installation add column audit_key bytea;

drop trigger assert_secret_key_in_use on installation;
create trigger assert_secret_key_in_use
  before insert or update of console_private_key, name_id_key, audit_key on installation
  for each row execute function assert_secret_key_in_use('console_private_key', 'name_id_key', 'audit_key');

create table audit_chain (
  position  bigint primary key,
  record_id bigint not null unique,
  mac       bytea  not null
);

-- Records that are not in the chain yet. They are chained by a job, because a chain written by each change would let only one change
-- in the whole installation run at a time.
create table audit_chain_waiting (
  record_id bigint primary key
);

-- Claims of the console are no records of the server, and are deleted with the login log.
create function audit_records_wait() returns trigger language plpgsql as $$
begin
  insert into audit_chain_waiting select id from added where claimed_user is null;
  return null;
end $$;

create trigger audit_records__wait after insert on audit_records
  referencing new table as added for each statement execute function audit_records_wait();

insert into audit_chain_waiting select id from audit_records where claimed_user is null;

-- The retention deletes the oldest records and says so in the log.
create or replace function audit_records_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and (old.claimed_user is not null or current_setting('opensocial.audit_retention', true) = 'on') then
    return old;
  end if;
  raise exception 'audit records are only added';
end $$;

create function audit_chain_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('opensocial.audit_retention', true) = 'on' then
    return old;
  end if;
  raise exception 'the chain of audit records is only extended';
end $$;

create trigger audit_chain__stays before update or delete on audit_chain
  for each row execute function audit_chain_stays();
