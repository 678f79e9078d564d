-- The activity list sorts by site over the whole log. One index serves both that and the search for a site: the lines of a network and a
-- site, newest first. It replaces the index by site alone, so that a line needs no additional index. It is created concurrently for
-- one month after the other, so that sign-ins can write meanwhile; the index of the whole log then attaches those of the months.
-- An interrupted attempt leaves an invalid index, which is created again.
select format('drop index concurrently %s', indexrelid::regclass) as statement
from pg_partition_tree('login_log') join pg_index on indrelid = relid
where isleaf and not indisvalid and indexrelid::regclass::text like '%\_\_network\_site';

select format('create index concurrently if not exists %I on %s (network_id, (lower(site) collate "C"), login_time desc, id desc)',
  relname || '__network_site', relid) as statement
from pg_partition_tree('login_log') join pg_class on pg_class.oid = relid
where isleaf;

-- transaction
create index login_log__network_site on login_log (network_id, (lower(site) collate "C"), login_time desc, id desc);
drop index login_log__site;
alter index login_log__network_site rename to login_log__site;
