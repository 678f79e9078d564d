-- Claims of the console are kept as long as the login log and then deleted. The server's own records are still append-only.
create or replace function audit_records_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.claimed_user is not null then
    return old;
  end if;
  raise exception 'audit records are only added';
end $$;

create index audit_records__claimed_at on audit_records (created_at) where claimed_user is not null;
