-- A stored template that would carry a token elsewhere is not sent; the built-in text is sent in its place. This column holds when
-- the owners were told by mail, so that they are told once and not for every mail. Saving the template clears it.
alter table email_templates add column refused_at timestamptz;
