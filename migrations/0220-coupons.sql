-- Coupons: what is taken off an order, and off the renewals of what it starts, for whoever knows a code. A coupon's terms never change: who has redeemed one
-- keeps them.
create table accounts.coupon (
  id text primary key,
  name text not null,
  -- One of both: hundredths of a percent of the price before tax, or an amount of it.
  basis_points integer check (basis_points between 1 and 10000),
  amount_minor bigint check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Of what renews: for how many periods; null: for all of them.
  periods integer check (periods between 1 and 120),
  -- Items of the catalogue, or whole parts of it; none: everything.
  items text[] not null,
  first_order boolean not null,
  min_minor bigint not null check (min_minor >= 0),
  max_uses integer check (max_uses > 0),
  max_uses_of_account integer check (max_uses_of_account > 0),
  begins_at timestamptz not null,
  ends_at timestamptz check (ends_at > begins_at),
  -- Set when staff end it before.
  ended_at timestamptz,
  created_by text not null references accounts.account,
  created_at timestamptz not null,
  check ((basis_points is null) <> (amount_minor is null))
);

create table accounts.coupon_code (
  -- As it is compared: capitals.
  code text primary key check (code ~ '^[A-Z0-9-]{3,40}$'),
  coupon_id text not null references accounts.coupon,
  max_uses integer check (max_uses > 0),
  created_at timestamptz not null
);
create index coupon_code_coupon on accounts.coupon_code (coupon_id, code);

create table accounts.coupon_use (
  order_id text primary key references accounts.customer_order,
  coupon_id text not null references accounts.coupon,
  code text not null references accounts.coupon_code,
  account_id text not null references accounts.account,
  -- What it starts, and for how many of its periods after this one the coupon holds; null: for all, or nothing renews.
  subscription_id text,
  periods_left integer check (periods_left >= 0),
  used_at timestamptz not null
);
create index coupon_use_coupon on accounts.coupon_use (coupon_id, account_id);
create index coupon_use_code on accounts.coupon_use (code);
create index coupon_use_account on accounts.coupon_use (account_id);
create unique index coupon_use_subscription on accounts.coupon_use (subscription_id) where subscription_id is not null;

-- What a coupon has taken off the lines of an order; it is one of them, below zero.
alter table accounts.customer_order add column discount_minor bigint not null default 0 check (discount_minor >= 0);
