-- Two characters have no trigram. With a mark between its characters, any two that stand together in a text have one. The mark is a
-- capital: text in lower case has none. A server of the version before finds the same without it, only slower.
alter table users add column spread text collate "C" not null
  generated always as (regexp_replace(lower(btrim(firstname || ' ' || lastname) || E'\n' || email), '', 'Q', 'g')) stored;
create index users__spread on users using gin (spread gin_trgm_ops);

-- Addresses are looked for by how they begin.
alter table login_log_names add column spread text collate "C" not null
  generated always as (case kind when 'address' then '' else regexp_replace(name, '', 'Q', 'g') end) stored;
create index login_log_names__spread on login_log_names using gin (spread gin_trgm_ops);
