-- Dedicated servers really delivered: the inventory of machines, stock held for offers, work that is done by hand at the datacenter.
-- Commands are listed by the code alone from here on: a second list would only disagree.
alter table compute.operation drop constraint if exists operation_command_check;

create table compute.bare_metal (
  id text primary key,
  -- What the datacenter calls it: the label on the rack.
  name text not null unique check (length(name) between 1 and 63),
  plan_code text not null check (plan_code in ('FARADAY', 'NOETHER', 'CURIE')),
  ip inet not null unique check (family(ip) = 4 and masklen(ip) = 32),
  -- The network of the address.
  prefix_length smallint not null check (prefix_length between 8 and 32),
  gateway inet not null,
  mac macaddr,
  -- Its controller; without one it is delivered by hand.
  controller_url text,
  controller_system text,
  controller_username text,
  controller_password_sealed bytea,
  -- Whoever has it, until its disks are wiped.
  server_id text unique references compute.server,
  -- Its address rests between two servers, and with it the machine.
  rests_until timestamptz not null,
  -- Taken out of stock by hand.
  out_of_service boolean not null default false,
  created_at timestamptz not null,
  check (num_nulls(controller_url, controller_system, controller_username, controller_password_sealed) in (0, 4))
);
create index bare_metal_free on compute.bare_metal (plan_code, rests_until) where server_id is null and not out_of_service;

-- A machine promised to an offer, then to its order. An account that asks again moves its hold: it never holds two of a plan by looking.
create table compute.stock_hold (
  offer_id text primary key,
  account_id text not null,
  plan_code text not null,
  order_id text unique,
  held_until timestamptz not null
);
create unique index stock_hold_of_account on compute.stock_hold (account_id, plan_code) where order_id is null;
create index stock_hold_of_plan on compute.stock_hold (plan_code, held_until);

-- An operation that waits for somebody at the datacenter.
create table compute.hand_work (
  operation_id text primary key references compute.operation,
  claimed_by text,
  claimed_at timestamptz,
  done_at timestamptz,
  -- Why it cannot be done.
  refused text
);
