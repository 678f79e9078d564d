-- compatible-since: 0023
-- Servers cache sites and revalidate them by a version in each request. It was the system column xmin, which databases that are
-- compatible with PostgreSQL do not have. A trigger raises the version with every update, so that no statement can forget it. Adding the
-- columns does not rewrite the tables, because their default is constant. The triggers block writes to these tables for an instant.
create function raise_version() returns trigger language plpgsql as $$
begin
  new.version = old.version + 1;
  return new;
end
$$;

alter table networks add column version bigint not null default 1;
alter table network_settings add column version bigint not null default 1;
alter table sites add column version bigint not null default 1;
alter table signing_keys add column version bigint not null default 1;

create trigger networks__version before update on networks for each row execute function raise_version();
create trigger network_settings__version before update on network_settings for each row execute function raise_version();
create trigger sites__version before update on sites for each row execute function raise_version();
create trigger signing_keys__version before update on signing_keys for each row execute function raise_version();
