-- Two administrators may edit the same desktop. A save names the version that it is based on, and is accepted only if that is
-- still the current one. A constant default rewrites no row, and an older program ignores the column.
alter table networks add column desktop_version integer not null default 0;
