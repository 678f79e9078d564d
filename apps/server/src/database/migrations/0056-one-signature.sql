-- compatible-since: 0036
-- A test of the sign-in to a SAML site can send a response of which only the assertion is signed, to find out whether the site needs the
-- signature of the response too. Null: the response is signed as the site has it. Earlier versions ignore it.
alter table site_tests add column signs text constraint site_tests__signs check (signs = 'assertion');
