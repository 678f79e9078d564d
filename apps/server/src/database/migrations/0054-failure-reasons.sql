-- compatible-since: 0036
-- Activity is filtered by the reason of failures, which the overview counts without the code after the colon. Reasons differ in frequency
-- by orders of magnitude: without an index, a page of a rare one reads every line of the network. Only failures are indexed, so that
-- successful sign-ins, which are most of the log, write nothing more. The reason is included because PostgreSQL otherwise reads the rows
-- to count them. Like in 0023, the index is created concurrently for one month after the other, and the index of the whole log then
-- attaches those of the months. An interrupted attempt leaves an invalid index, which is created again.
select format('drop index concurrently %s', indexrelid::regclass) as statement
from pg_partition_tree('login_log') join pg_index on indrelid = relid
where isleaf and not indisvalid and indexrelid::regclass::text like '%\_\_failure\_reason';

select format('create index concurrently if not exists %I on %s (network_id, split_part(reason, '':'', 1), login_time desc, id desc) include (reason) where login_status = ''Failed''',
  relname || '__failure_reason', relid) as statement
from pg_partition_tree('login_log') join pg_class on pg_class.oid = relid
where isleaf;

-- transaction
create index login_log__failure_reason on login_log (network_id, split_part(reason, ':', 1), login_time desc, id desc)
  include (reason) where login_status = 'Failed';
