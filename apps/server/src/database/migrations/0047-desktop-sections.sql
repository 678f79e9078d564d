-- compatible-since: 0036
-- The sections that a member makes on the own desktop of a network. They end with the membership. The version is raised by every
-- arrangement, so that two browsers do not overwrite each other.
alter table memberships add column desktop_version integer not null default 0;

create table desktop_sections (
  id           bigint generated always as identity primary key,
  network_id   bigint not null,
  user_id      bigint not null,
  name         text not null,
  position     smallint not null,
  is_collapsed boolean not null default false,
  constraint desktop_sections__network_id__user_id foreign key (network_id, user_id) references memberships on delete cascade
);
create index desktop_sections__network_id__user_id on desktop_sections (network_id, user_id);

-- A site is in at most one section of a person.
create table desktop_section_sites (
  user_id    bigint not null references users on delete cascade,
  site_id    bigint not null references sites on delete cascade,
  section_id bigint not null references desktop_sections on delete cascade,
  position   smallint not null,
  primary key (user_id, site_id)
);
create index desktop_section_sites__site_id on desktop_section_sites (site_id);
create index desktop_section_sites__section_id on desktop_section_sites (section_id);
