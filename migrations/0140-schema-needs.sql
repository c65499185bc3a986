-- Which program a schema needs. A migration that takes away what earlier programs use says so in its file (`-- needs program: 0139`: one that knows migration
-- 0139); the row is written with it, and an earlier program that is started on this schema refuses.
create table platform.schema_need (
  migration text primary key,
  program text not null check (program ~ '^\d{4}$')
);
grant select on platform.schema_need to egress_accounts, egress_residential, egress_static, egress_compute;
