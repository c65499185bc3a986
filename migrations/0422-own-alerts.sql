-- An owner's own marks of a package's use: percent used, and bytes left. Null: 80, 95 and 100 percent, as everybody has them; 100 percent is always told. The
-- defaults are constants: no row is written.
alter table residential.plan
  add column alert_percents smallint[],
  add column alert_left_bytes bigint[] not null default '{}',
  -- The lowest of those marks of bytes that its owner was told of; null: none.
  add column told_left_bytes bigint;
-- Of the marks that everybody has alone until now; what is there holds under the wider one.
alter table residential.plan drop constraint plan_told_percent_check;
alter table residential.plan add constraint plan_told_percent_check check (told_percent between 0 and 100) not valid;
