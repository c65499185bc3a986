-- Health of the addresses that customers hold: the last check, a line per day, and the times when an address did not work.
create table static.health (
  address_id text primary key references static.address,
  plan_id text not null references static.plan,
  checked_at timestamptz,
  next_check_at timestamptz not null,
  -- Of the last check that was answered.
  latency_ms integer,
  -- Null while it works.
  problem text,
  failures_in_row integer not null default 0,
  failing_since timestamptz
);
create index health_due on static.health (next_check_at);
create index health_of_plan on static.health (plan_id);

create table static.health_day (
  address_id text not null references static.address,
  plan_id text not null references static.plan,
  day date not null,
  checks integer not null,
  failures integer not null,
  latency_ms_sum bigint not null,
  latency_ms_max integer not null,
  primary key (address_id, plan_id, day)
);
create index health_day_of_plan on static.health_day (plan_id, day);
create index health_day_age on static.health_day (day);

create table static.outage (
  id text primary key,
  address_id text not null references static.address,
  plan_id text not null references static.plan,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  problem text not null,
  -- When its time was counted towards a credit.
  credited_at timestamptz
);
create unique index outage_open on static.outage (address_id) where ended_at is null;
create index outage_of_plan on static.outage (plan_id, started_at desc);
