-- The activity list sorts by site over the whole log. One index serves both that and the search for a site: the lines of a network and a
-- site, newest first. It takes the place of the one by site alone, so that a line costs no further index. Sign-ins that write a line wait
-- while it is made: some seconds for each million lines.
create index login_log__network_site on login_log (network_id, (lower(site) collate "C"), login_time desc, id desc);
drop index login_log__site;
alter index login_log__network_site rename to login_log__site;
