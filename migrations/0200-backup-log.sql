-- Up to which moment the write-ahead log is kept beside the backups, so that somebody is told when that stands still.
create table platform.backup_log (
  only_row boolean primary key check (only_row),
  -- Whatever was acknowledged before this moment can be restored.
  holds_until timestamptz not null
);
