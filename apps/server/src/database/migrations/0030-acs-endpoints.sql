-- compatible-since: 0029
-- A service provider may have several assertion consumer services. A request names one by its index or its address. The index of the
-- default one is null if it is not known, as for sites that were registered by hand.
alter table sites
  add column acs_index integer check (acs_index between 0 and 65535),
  add column further_acs jsonb not null default '[]';
