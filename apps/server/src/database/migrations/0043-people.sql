-- compatible-since: 0036
-- The person that an audit record is about: the address, or '#' and the id of the account. An index on this function finds the records
-- about a person without a new column: the table is append-only, and may have millions of rows.
create or replace function audit_person(description text, actor_id bigint, old_data jsonb, new_data jsonb, claimed_user text)
  returns text language sql immutable parallel safe as $$
  select case
    when claimed_user is not null then null
    when description ~ '^\w+ own ' then '#' || actor_id
    when description ~ '^\w+ (user|invitation of) [^ ]+@' then substring(description from '^\w+ (?:user|invitation of) ([^ ]+)')
    when description ~ '^\w+ owner$' then coalesce(new_data ->> 'owner', old_data ->> 'owner')
    when description ~ '^\w+ (user of a group|visit of a user to a site)$' then '#' || coalesce(new_data ->> 'user_id', old_data ->> 'user_id')
  end
$$;
-- Created concurrently, because changes write audit records meanwhile. An interrupted attempt leaves an invalid index.
select 'drop index concurrently audit_records__person' as statement
from pg_index where indexrelid = to_regclass('audit_records__person') and not indisvalid;

create index concurrently if not exists audit_records__person on audit_records
  (network_id, audit_person(description, actor_id, old_data, new_data, claimed_user), created_at desc, id desc);

-- transaction
-- The mails that were sent to people, for the timeline in the user panel: kind, time and outcome, without content and token. A mail is
-- found by its address, so that it stays with the person when an invitation becomes an account. The link of a mail is in
-- one_time_tokens until it is used or deleted; `token_id` is no foreign key, because the mail outlives it.
create table person_mails (
  id              bigint generated always as identity primary key,
  network_id      bigint not null references networks on delete cascade,
  email           text not null,
  kind            text not null,
  is_personal     boolean not null default false,
  outcome         text not null check (outcome in ('queued', 'sent', 'failed', 'stored')),
  token_id        bigint,
  link_expires_at timestamptz,
  link_used_at    timestamptz,
  link_ended_at   timestamptz,
  created_at      timestamptz not null default now()
);
create index person_mails__network_id__email on person_mails (network_id, email, created_at desc, id desc);
create index person_mails__token_id on person_mails (token_id) where token_id is not null;
create index person_mails__created_at on person_mails (created_at);

-- An invitation whose link an owner has copied proves nothing about the mailbox. The account that it creates cannot join other networks
-- until its address is confirmed by a mailed link.
alter table one_time_tokens add column is_copied boolean not null default false;
alter table users add column address_unproven boolean not null default false;
