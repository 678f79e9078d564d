-- Two administrators may arrange the same desktop. Whoever saves says which version the arrangement was made from; it is taken
-- only while that is still the one. A constant default changes no row, and a program that does not know the column leaves it.
alter table networks add column desktop_version integer not null default 0;
