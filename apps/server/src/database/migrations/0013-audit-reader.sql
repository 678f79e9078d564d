-- Owners can read who changed what. The kind of object is derived from the description, which begins with the action and the
-- object. It is a generated column, so that existing records have it too.
alter table audit_records add column object text not null generated always as (
  case
    when claimed_user is not null then 'claim'
    when description ~ '^\w+ (user|site) of a group' then 'group'
    when description ~ '^\w+ (site|group|owner|image|desktop|network|settings)\M' then substring(description from '^\w+ (\w+)')
    when description ~ '^\w+ email template' then 'template'
    when description ~ '^\w+ own ' then 'profile'
    when description ~ '^\w+ (user|invitation of|visit of)\M' then 'user'
    else 'other'
  end
) stored;

-- For a page, newest first, of all records or of one kind of object, and for its total.
create index audit_records__network_id__created_at on audit_records (network_id, created_at desc, id desc);
create index audit_records__network_id__object on audit_records (network_id, object, created_at desc, id desc);
drop index audit_records__network_id;
