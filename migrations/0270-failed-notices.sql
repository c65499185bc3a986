-- What became of the attempts to act on a notice of a vendor: the desk lists those that failed, with the error and how often.
alter table accounts.inbox
  add column tries integer not null default 0 check (tries >= 0),
  add column error text,
  add column failed_at timestamptz;
