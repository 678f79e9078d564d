-- compatible-since: 0036
-- Deleted sites, users, groups and images can be restored for some days. A deletion still deletes the row and everything that belongs to
-- it, so that no query needs a condition about deleted rows, and unique values are free again. In the same transaction the rows are copied
-- here as JSON. Restoring inserts them again, with their ids. A migration that renames a column of a copied table has to rename the key
-- in trash_rows too; columns that are added or dropped need nothing.
create table trash (
  id         bigint generated always as identity primary key,
  network_id bigint not null references networks on delete cascade,
  kind       text not null check (kind in ('site', 'user', 'group', 'image')),
  -- The id of the deleted row.
  subject_id bigint not null,
  -- What the list shows and searches, such as the domain and the name of a site.
  label      text not null,
  detail     text not null,
  deleted_by text not null,
  deleted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- The size of an image, which counts for the quota of the network until its file is removed.
  bytes      bigint not null default 0,
  -- The audit record of the deletion.
  audit_id   bigint not null,
  -- Fields of other rows that the deletion has changed, and what they contained.
  links      jsonb not null default '[]',
  -- Sentences for those who restore it, about what is not restored.
  notes      text[] not null default '{}'
);
create index trash__network_id__id on trash (network_id, id) include (bytes);
create index trash__network_id__kind__id on trash (network_id, kind, id);
create index trash__expires_at on trash (expires_at);
create index trash__audit_id on trash (audit_id);
create index trash__label on trash using gin (label gin_trgm_ops, detail gin_trgm_ops);

create table trash_rows (
  id         bigint generated always as identity primary key,
  trash_id   bigint not null references trash on delete cascade,
  table_name text not null,
  -- The row without generated columns and without the encrypted one.
  row        jsonb not null,
  -- The name of the row that it refers to, in case that one is deleted too.
  label      text,
  -- The name of a stored file that belongs to the row. It is kept as long as the row is here.
  file       text,
  -- The encrypted column of the row, if the table has one, so that `npm run rekey` finds it.
  sealed     bytea
);
create index trash_rows__trash_id__table_name on trash_rows (trash_id, table_name, id);
create index trash_rows__file on trash_rows (file) where file is not null;
create index trash_rows__sealed on trash_rows (id) where sealed is not null;
create trigger assert_secret_key_in_use before insert or update of sealed on trash_rows
  for each row execute function assert_secret_key_in_use('sealed');
