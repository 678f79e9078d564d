-- compatible-since: 0023
-- How responses to a site are protected. The defaults are what every site got before, so that servers of older versions do the same.
alter table sites
  add column signs text not null default 'both' check (signs in ('assertion', 'response', 'both')),
  add column encrypts boolean not null default false,
  add column encryption_certificate text,
  add check (not encrypts or encryption_certificate is not null);

-- Signed requests could be required without a certificate that verifies them, which had no effect.
update sites set signed_requests = false where signed_requests and certificate is null;
