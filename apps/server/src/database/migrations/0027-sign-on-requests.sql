-- compatible-since: 0023
-- What a request for single sign-on asks for, as long as the sign-in is in progress: the authentication and the person. A sign-in of an
-- older server has none, and is then finished as that server would.
alter table sign_ins add column requested jsonb;
