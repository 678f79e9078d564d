-- What a site shows that uses domain level settings.
alter table network_settings
  add column terms_of_use text,
  add column privacy_statement text,
  add column help_email text;

-- When an owner last opened an account that was disabled: from then on its days without a sign-in are counted anew.
alter table users add column reopened_at timestamptz;
