-- compatible-since: 0029
-- The filters of the users list find the few members that owners have not confirmed or have disabled without reading all memberships.
create index memberships__unconfirmed on memberships (network_id, user_id) where status = 'NonConfirmed';
create index memberships__disabled on memberships (network_id, user_id) where user_mode = 'Disable';
