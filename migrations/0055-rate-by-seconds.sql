-- The live rate is of the last ten seconds. recent_bytes is written no more; it stays for processes of the release before until they are replaced.
alter table residential.plan
  -- Bytes of the second of rated_at, of the one before, and so on.
  add column bytes_by_second bigint[] not null default '{}',
  -- From when on the plan's use is known: before a day of it no end is told. Of a plan that is in use already, its next report takes created_at.
  add column used_since timestamptz;
