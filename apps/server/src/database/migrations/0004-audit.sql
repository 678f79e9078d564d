-- The audit record is only ever added to: nobody who can write to it, this program included, changes what is in it.
create function audit_records_stay() returns trigger language plpgsql as $$
begin
  raise exception 'audit records are only added';
end $$;

create trigger audit_records__stay before update or delete on audit_records
  for each row execute function audit_records_stay();

create index audit_records__actor_id on audit_records (actor_id, id desc);

-- Users are listed by name, and counted by when they were made.
create index users__fullname on users (fullname, id);
create index users__created_at on users (created_at);
