-- Bandwidth packages and the one ledger of bytes: every reported byte is an entry, totals and days are its sums, changed in the same transaction.
-- A plan stores facts only; its status is derived from them at a moment, so nothing has to run at 00:00 UTC.
create table residential.plan (
  id text primary key,
  account_id text not null,
  -- One plan per paid order, whatever is delivered twice.
  order_id text not null unique,
  product text not null check (product in ('PREMIUM', 'PRIVATE_RESIDENTIAL', 'MOBILE', 'ALT_RESIDENTIAL')),
  -- A proxy username is cut at '-', a proxy line at ':'.
  username text not null unique check (username ~ '^[0-9a-z]+$'),
  -- Lines show the password again and again, so it is sealed and not hashed; proxy nodes get the fingerprint only.
  password_sealed bytea not null,
  password_fingerprint bytea not null,
  credential_epoch integer not null default 1,
  total_bytes bigint not null check (total_bytes > 0),
  up_bytes bigint not null default 0 check (up_bytes >= 0),
  down_bytes bigint not null default 0 check (down_bytes >= 0),
  daily_limit_bytes bigint check (daily_limit_bytes > 0),
  -- The last status told in an event; never read to decide anything else.
  announced_status text not null default 'ACTIVE' check (announced_status in ('ACTIVE', 'PAUSED', 'EXPIRED')),
  -- Session numbers: position * stride modulo 10^8; the next batch starts at session_next.
  session_stride integer not null,
  session_next bigint not null,
  created_at timestamptz not null
) with (fillfactor = 70);
create index plan_of_account on residential.plan (account_id, created_at desc, id desc);
create index plan_paused on residential.plan (id) where announced_status = 'PAUSED';

-- The ledger. `source` is a network or a proxy node, `report_id` its report or its lease, `line` a line or a settlement of that lease: each counts once.
create table residential.usage_entry (
  source text not null,
  report_id text not null,
  line integer not null,
  plan_id text not null,
  -- The UTC day of `at`: late traffic lands on the day it flowed.
  day date not null,
  at timestamptz not null,
  received_at timestamptz not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  country text,
  session text,
  host text,
  client text,
  primary key (source, report_id, line)
);
create trigger usage_entry_append_only before update or delete on residential.usage_entry for each statement execute function platform.refuse();
create trigger usage_entry_not_emptied before truncate on residential.usage_entry for each statement execute function platform.refuse();

create table residential.usage_day (
  plan_id text not null references residential.plan,
  day date not null,
  up_bytes bigint not null check (up_bytes >= 0),
  down_bytes bigint not null check (down_bytes >= 0),
  primary key (plan_id, day)
) with (fillfactor = 70);

-- One generation of lines: what is needed to make the same lines again, and to know whose session number it is.
create table residential.proxy_batch (
  id text primary key,
  plan_id text not null references residential.plan,
  -- Position of the first session number in the plan's sequence; null for rotating lines, which carry none.
  session_start bigint,
  line_count integer not null check (line_count > 0),
  input jsonb not null,
  credential_epoch integer not null,
  created_at timestamptz not null
);
create index proxy_batch_of_plan on residential.proxy_batch (plan_id, session_start);
