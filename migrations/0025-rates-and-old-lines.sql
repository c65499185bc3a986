-- How fast a plan is used, kept in its row with the totals: bytes that fade with their age, so that a rate is read without looking at the ledger.
alter table residential.plan
  -- Fading within half a minute: what flows now.
  add column recent_bytes double precision not null default 0,
  -- Fading within three days: the pace by which the end is told.
  add column paced_bytes double precision not null default 0,
  add column rated_at timestamptz;

-- Addresses from which lines of before a reset are still tried: their owner wants to know which tools have the old list.
create table residential.old_password_use (
  plan_id text not null references residential.plan,
  client text not null,
  tries bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (plan_id, client)
) with (fillfactor = 80);
create index old_password_use_by_age on residential.old_password_use (last_at);
