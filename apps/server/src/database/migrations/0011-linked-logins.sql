-- People look through the logins that are linked to their account: which of them is still in use tells what may go.
alter table social_identities
  add column last_used_at timestamptz;
