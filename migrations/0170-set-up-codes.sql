-- The codes by which the first member of staff is made on a page, before there is anybody who could appoint one: a start prints one, once, for an hour.
create table accounts.set_up_code (
  code_hash text primary key,
  expires_at timestamptz not null
);
