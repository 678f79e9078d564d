-- When a linked login was last used, so that people can see which ones they no longer need.
alter table social_identities
  add column last_used_at timestamptz;
