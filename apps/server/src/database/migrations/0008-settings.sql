-- The legal links of sites that use domain level settings.
alter table network_settings
  add column terms_of_use text,
  add column privacy_statement text,
  add column help_email text;

-- When an owner last reactivated a disabled account: days without a sign-in count from then.
alter table users add column reopened_at timestamptz;
