-- How often somebody has tried, shared by every process: a limit that each process counts alone is multiplied by their number.
-- Unlogged: after a crash counting begins anew, which costs nothing but a few more tries, and an attempt writes no log.
create unlogged table accounts.attempt (
  kind text not null,
  -- A hash: addresses that were only typed are not kept.
  name bytea not null,
  points integer not null,
  ends_at timestamptz not null,
  primary key (kind, name)
);
create index attempt_ends on accounts.attempt (ends_at);
