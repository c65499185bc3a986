-- Which backups were taken, so that every process knows how old the last one is, and somebody is told when it is too old.
create table platform.backup (
  taken_at timestamptz primary key,
  -- Whatever was acknowledged before this moment is in it.
  holds_until timestamptz not null,
  place text not null,
  bytes bigint not null
);
