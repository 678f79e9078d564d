-- The audit log is append-only: nobody who can write to it, including this program, can change its rows.
create function audit_records_stay() returns trigger language plpgsql as $$
begin
  raise exception 'audit records are only added';
end $$;

create trigger audit_records__stay before update or delete on audit_records
  for each row execute function audit_records_stay();

create index audit_records__actor_id on audit_records (actor_id, id desc);

-- Users are listed by name, and counted by their creation time.
create index users__fullname on users (fullname, id);
create index users__created_at on users (created_at);
