-- compatible-since: 0036
-- What became of the scheduled backups. Servers know from it when the next one is due, and owners of the main network whether they work.
create table backup_reports (
  id         smallint primary key default 1 check (id = 1),
  -- The newest complete backup.
  made_at    timestamptz,
  file       text,
  bytes      bigint,
  -- The last attempt, if it has failed.
  failed_at  timestamptz,
  failure    text
);
