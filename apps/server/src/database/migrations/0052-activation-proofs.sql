-- compatible-since: 0036
-- A person who has just activated an account may set up the first second factor in the same browser, without a mailed code: the link has
-- proven what the code would prove, and an installation without a mail server cannot deliver a code. Only a hash of the cookie is stored.
-- Earlier versions write and read nothing here.
create table activation_proofs (
  user_id    bigint primary key references users on delete cascade,
  token_hash bytea not null,
  expires_at timestamptz not null
);
create index activation_proofs__expires_at on activation_proofs (expires_at);

-- Ends the proof with the state of the account in which it was made. A trigger, because passwords, factors and modes are changed in many
-- places, by servers and by commands, and one that is forgotten would leave a way to add a factor. Every change of a password or factor
-- sets `credentials_at`.
create function end_activation_proof() returns trigger language plpgsql as $$
begin
  delete from activation_proofs where user_id = new.id;
  return null;
end
$$;
create trigger end_activation_proof after update of credentials_at, status, user_mode on users
  for each row when (old.credentials_at is distinct from new.credentials_at or old.status is distinct from new.status
    or old.user_mode is distinct from new.user_mode)
  execute function end_activation_proof();
