-- Servers of both kinds in one table, since customers list, power and pay them together; what differs is in the checks.
create table compute.server (
  id text primary key,
  kind text not null check (kind in ('VPS', 'DEDICATED')),
  account_id text not null,
  -- One server per paid order, however often the order is announced.
  order_id text not null unique,
  subscription_id text not null unique,
  plan_code text not null,
  status text not null,
  power_state text not null default 'UNKNOWN' check (power_state in ('RUNNING', 'STOPPED', 'STARTING', 'STOPPING', 'RESTARTING', 'UNKNOWN')),
  hostname text not null check (length(hostname) between 1 and 253),
  created_at timestamptz not null,
  constraint server_status check (
    status in ('ACTIVE', 'SUSPENDED')
    or kind = 'VPS' and status in ('BUILDING', 'REMOVED')
    or kind = 'DEDICATED' and status in ('PROVISIONING', 'REINSTALLING', 'DECOMMISSIONED')
  ),
  constraint server_plan check (
    kind = 'VPS' and plan_code in ('PLANK', 'BROGLIE', 'EINSTEIN')
    or kind = 'DEDICATED' and plan_code in ('FARADAY', 'NOETHER', 'CURIE')
  )
);
create index server_of_account on compute.server (account_id, created_at desc, id desc);

-- A public address has one row and one holder: never two servers on one address.
create table compute.address (
  ip inet primary key check (family(ip) = 4 and masklen(ip) = 32),
  server_id text references compute.server,
  -- 0 is the server's own address; extra ones follow.
  position smallint not null default 0 check (position >= 0),
  rests_until timestamptz not null,
  unique (server_id, position)
);
