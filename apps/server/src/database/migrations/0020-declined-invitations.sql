-- A person who declines an invitation is not mailed or shown another one of the same network for 30 days. The inviting network must
-- not notice, so the decision is stored separately from the invitation, whose row is inserted as usual. Only a hash of the address is stored.
create table declined_invitations (
  network_id bigint not null references networks on delete cascade,
  email_hash bytea not null,
  declined_at timestamptz not null default now(),
  primary key (network_id, email_hash)
);
