-- compatible-since: 0032
-- How logout messages reach a site: the binding of its logout address, the address for responses if it is another one, and an address for
-- messages from server to server. 'auto' is what every site got before: requests by redirect, responses by the binding of the site's
-- request. Servers of older versions send every request by redirect, so they must not be started any more.
alter table sites
  add column sls_binding text not null default 'auto' check (sls_binding in ('auto', 'redirect', 'post', 'soap')),
  add column sls_response text,
  add column sls_soap text;

-- Several sites of a logout answer at the same time, so each has a row of its own. Servers of the former version still use waiting,
-- request_id, told_site_id and failed until they are stopped.
alter table logouts
  alter column waiting set default '[]',
  add column is_finished boolean not null default false;

create table logout_sites (
  id              bigint generated always as identity primary key,
  logout_id       bigint not null references logouts on delete cascade,
  site_id         bigint not null references sites on delete cascade,
  name_id         text not null,
  name_id_format  text not null,
  session_index   text not null,
  step            text not null default 'waiting' check (step in ('waiting', 'framed', 'returned', 'visited', 'done')),
  is_informed     boolean not null default false,
  is_soap_tried   boolean not null default false,
  is_in_frame     boolean not null default false,
  request_id      text,
  token_hash      bytea constraint logout_sites__token_hash unique
);
create index logout_sites__logout_id on logout_sites (logout_id);
create index logout_sites__site_id on logout_sites (site_id);
