-- Static plans and the inventory of addresses they are served from. An address has one row and one holder, so that it cannot be sold twice.
create table static.plan (
  id text primary key,
  account_id text not null,
  -- One plan per paid order, however often the order is announced.
  order_id text not null unique,
  subscription_id text not null unique,
  product_id text not null,
  quantity integer not null check (quantity > 0),
  status text not null default 'PENDING' check (status in ('PENDING', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED')),
  username text not null unique,
  password_sealed bytea not null,
  created_at timestamptz not null,
  delivered_at timestamptz,
  ended_at timestamptz
);
create index plan_of_account on static.plan (account_id, created_at desc, id desc);
create index plan_undelivered on static.plan (created_at, id) where status = 'PENDING';

create table static.address (
  id text primary key,
  ip inet not null unique check (family(ip) = 4 and masklen(ip) = 32),
  port integer not null check (port between 1 and 65535),
  -- The catalogue product it is sold as: kind and carrier follow from it.
  product_id text not null,
  location text not null,
  -- The holder. A suspended plan keeps its addresses; an ended one has none.
  plan_id text references static.plan,
  -- Free from this instant on: an address rests between two customers.
  rests_until timestamptz not null,
  loaded_at timestamptz not null,
  retired_at timestamptz,
  check (retired_at is null or plan_id is null)
);
create index address_of_plan on static.address (plan_id, ip) where plan_id is not null;
-- The longest rested is sold first.
create index address_free on static.address (product_id, rests_until, id) where plan_id is null and retired_at is null;

-- Who held which address when: what an abuse report about a past day asks for.
create table static.tenure (
  address_id text not null references static.address,
  plan_id text not null references static.plan,
  started_at timestamptz not null,
  ended_at timestamptz check (ended_at >= started_at),
  primary key (address_id, plan_id, started_at)
);
create unique index tenure_of_one_holder on static.tenure (address_id) where ended_at is null;
create index tenure_of_plan on static.tenure (plan_id);
