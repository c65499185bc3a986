-- Gateways of sellers whose exits are sold on: set up at the desk, told to every proxy node. What left by each is kept by day, to be held against the
-- seller's bill, for as long as the books.
create table residential.gateway (
  -- As nodes and the ledger name it.
  id text primary key check (id ~ '^[A-Za-z0-9._-]{1,64}$'),
  -- All that a node is told but the log-in.
  settings jsonb not null,
  -- Templates of username and password, as JSON.
  credentials_sealed bytea not null,
  enabled boolean not null,
  cost_per_gb_minor int not null check (cost_per_gb_minor >= 0),
  -- Of a calendar month of UTC; no limit where null.
  monthly_cap_minor bigint check (monthly_cap_minor > 0),
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create table residential.gateway_day (
  gateway_id text not null,
  day date not null,
  up_bytes bigint not null,
  down_bytes bigint not null,
  primary key (gateway_id, day)
);
-- What a seller has billed for the days from the first to the last.
create table residential.gateway_bill (
  id text primary key,
  gateway_id text not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  billed_bytes bigint not null check (billed_bytes >= 0),
  amount_minor bigint not null check (amount_minor >= 0),
  noted_at timestamptz not null
);
create index gateway_bill_of_gateway on residential.gateway_bill (gateway_id, first_day);
revoke update, delete on residential.gateway_bill from egress_residential;
