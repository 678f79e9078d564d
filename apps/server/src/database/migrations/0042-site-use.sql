-- compatible-since: 0036
-- Which sites of a network with many sites are used most, and which were never used; a job counts them for the overview. The counters per
-- domain are spread over the counters of all names, so that reading those of ten thousand sites takes too long while somebody waits.
create table if not exists site_use_counts (
  network_id bigint primary key references networks on delete cascade,
  total      bigint not null,
  unused     bigint not null,
  used_ids   bigint[] not null,
  unused_ids bigint[] not null,
  counted_at timestamptz not null
);
