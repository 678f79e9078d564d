-- The media libraries are searched by any part of the texts of an image or of the original name of its file.
--
-- The texts are combined in one column, one per line, so that one index serves the search and no keyword matches across
-- two of them.

alter table images add column file_name text not null default '';
alter table images add column searched text not null generated always as
  (title || E'\n' || alt_text || E'\n' || caption || E'\n' || description || E'\n' || file_name) stored;

create index images__searched__search on images using gin (searched gin_trgm_ops);
