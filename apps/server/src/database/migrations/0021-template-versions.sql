-- Networks can also set the subject of their mails; null means the default subject. Every saved state of a template is kept as a
-- version, so that a change can be undone. The current state becomes the first version.
alter table email_templates add column subject text;

create table email_template_versions (
  id bigint generated always as identity primary key,
  network_id bigint not null references networks on delete cascade,
  kind text not null,
  design jsonb,
  html text not null,
  subject text,
  saved_by text not null,
  saved_at timestamptz not null default now()
);
create index email_template_versions__template on email_template_versions (network_id, kind, id desc);

insert into email_template_versions (network_id, kind, design, html, saved_by)
select network_id, kind, design, html, '' from email_templates where html is not null;
