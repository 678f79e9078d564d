-- Two administrators can edit the same record at once. The version of a record is the id of the newest audit record about it, so that
-- a save based on an older version can be refused, and the refusal can say who changed which fields, and when. For this an audit record
-- refers to its subject by a key such as 'site:12': descriptions contain names, which change and are not unique.
alter table audit_records add column subject_key text;

create index audit_records__subject_key__id on audit_records (subject_key, id) where subject_key is not null;
