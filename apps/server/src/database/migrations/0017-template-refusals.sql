-- A stored template that would leak a token is not sent; the default text is sent instead. This column contains when the owners
-- were notified by mail, so that they are notified once and not for every mail. Saving the template clears it.
alter table email_templates add column refused_at timestamptz;
