-- compatible-since: 0036
-- What the list of first steps of a network cannot find out from other tables.
create table network_setup (
  network_id   bigint primary key references networks on delete cascade,
  dismissed_at timestamptz,
  -- When an owner said that backups are made.
  backup_at    timestamptz,
  -- When a mail was last sent as a test and the mail server accepted it.
  mail_at      timestamptz
);
