-- What an owner was last told of a package that runs out, so that each mark is told once.
alter table residential.plan
  add column told_percent smallint not null default 0 check (told_percent in (0, 80, 95, 100)),
  -- Told, and neither more bytes nor another package of the product since.
  add column low_balance boolean not null default false;
