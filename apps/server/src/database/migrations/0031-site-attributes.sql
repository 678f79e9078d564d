-- compatible-since: 0031
-- What a site learns about people: the NameID and the attributes of its assertions. The defaults are what every site got before. Servers
-- of older versions would send these to every site, even to one that must get less or knows people by another name, so they must not be
-- started any more.
alter table sites
  add column name_id_format text not null default 'requested'
    check (name_id_format in ('requested', 'emailAddress', 'persistent', 'transient', 'unspecified')),
  add column name_id_source text not null default 'email' check (name_id_source in ('email', 'uid')),
  -- Null is the default set of attributes. An empty list releases none.
  add column attributes jsonb,
  add column attribute_index integer check (attribute_index between 0 and 65535),
  -- The attributes that requests ask for by another index.
  add column further_attributes jsonb not null default '[]',
  add check (name_id_source = 'email' or name_id_format in ('emailAddress', 'unspecified')),
  -- The console is a site too. It relies on its fixed attributes.
  add check (kind = 'site' or (name_id_format = 'requested' and attributes is null and further_attributes = '[]'));
