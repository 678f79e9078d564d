-- compatible-since: 0036
-- A list of people in the order of their names that is searched or filtered by date. With the searched text in the index, tens of thousands of
-- people are searched in order without reading their rows, which are spread over the table. Created concurrently, because people are
-- invited meanwhile. An interrupted attempt leaves an invalid index.
select 'drop index concurrently ' || indexrelid::regclass as statement from pg_index
where indexrelid = to_regclass('users__fullname__searched') and not indisvalid;

create index concurrently if not exists users__fullname__searched on users (fullname, id) include (searched, created_at);

drop index concurrently if exists users__fullname;
-- transaction
