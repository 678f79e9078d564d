-- compatible-since: 0036
-- A change that undoes an earlier one names the audit record of that one.
alter table audit_records add column reverts_id bigint;
