-- Rules on orders that look like fraud, as rows that the desk changes; what they have found of an order; and which network orders came from, for the rule
-- that counts them. An order that is held is paid and not delivered until a member of staff decides.
create table accounts.risk_rule (
  id text primary key,
  kind text not null,
  outcome text not null check (outcome in ('REVIEW', 'REFUSE')),
  -- Only for accounts that have never paid.
  only_new boolean not null,
  enabled boolean not null,
  amount_minor bigint check (amount_minor > 0),
  max_orders integer check (max_orders > 0),
  hours integer check (hours between 1 and 168),
  -- Countries (ISO 3166), domains of mail, or items of the catalogue, by its kind.
  words text[] not null,
  identity_level integer check (identity_level between 1 and 9),
  changed_by text not null,
  changed_at timestamptz not null
);

create table accounts.order_review (
  order_id text primary key references accounts.customer_order,
  -- NOTED: found when it was placed, and it is not paid.
  state text not null check (state in ('NOTED', 'WAITING', 'RELEASED', 'REFUSED')),
  findings jsonb not null,
  noted_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  reason text
);
create index order_review_waiting on accounts.order_review (order_id) where state = 'WAITING';

create table accounts.order_trace (
  order_id text primary key references accounts.customer_order,
  placed_from text not null,
  placed_at timestamptz not null
);
create index order_trace_from on accounts.order_trace (placed_from, placed_at);
create index order_trace_at on accounts.order_trace (placed_at);

-- How well it is known who is behind an account; 0 without a row. What it was checked by stands with whoever checked it.
create table accounts.identity_level (
  account_id text primary key references accounts.account,
  level integer not null check (level between 0 and 9),
  reference text not null,
  set_by text not null,
  set_at timestamptz not null
);
