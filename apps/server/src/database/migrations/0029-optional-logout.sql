-- compatible-since: 0029
-- Not every service provider supports single logout. A site without a logout address counts as not notified. Servers of older versions
-- cannot sign people out of such a site, so they must not be started any more.
alter table sites alter column sls drop not null;
