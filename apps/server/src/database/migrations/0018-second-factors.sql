-- A sign-in gets a second secret for its browser once somebody is known in it. Whoever began it and handed its first cookie to
-- that person (session fixation) cannot go on as them.
alter table sign_ins add column known_hash bytea;
