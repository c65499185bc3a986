-- Automatic top-ups: when less than so much of a plan is left, its owner has so many GB bought into it, charged to what the account has saved, up to so much
-- money in a calendar month of UTC. Rows change under the lock of the plan's row: whatever node brings a plan below its mark, one order is asked for.
create table residential.auto_top_up (
  plan_id text primary key references residential.plan on delete cascade,
  enabled boolean not null,
  left_bytes bigint not null check (left_bytes > 0),
  gigabytes integer not null check (gigabytes > 0),
  ceiling_minor bigint not null check (ceiling_minor > 0),
  -- At least so long between two orders.
  pause_minutes integer not null check (pause_minutes > 0),
  -- Why it was switched off by the platform.
  off text,
  -- The offer that is being bought: nothing more is asked for before accounts has answered.
  request_id text,
  request_minor bigint,
  -- Not before.
  next_at timestamptz,
  -- Of the month that begins on this day, with tax; what was asked for counts until it is refused.
  spent_minor bigint not null default 0 check (spent_minor >= 0),
  spent_on date not null,
  check ((request_id is null) = (request_minor is null))
);
create index auto_top_up_due on residential.auto_top_up (next_at) where enabled and request_id is null;

-- At which rest a report has something to do; null: none. Kept beside the counters, so that a report need not ask another table.
alter table residential.plan add column top_up_left_bytes bigint;

-- Placed by a setting of the account's and charged to what it has saved: no page is opened for it. The default is a constant: no row is written.
alter table accounts.customer_order add column automatic boolean not null default false;
