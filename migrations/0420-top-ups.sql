-- Bytes that are bought into a package that is there: its username, password and lines stay. A row for each order, once; `plan.order_id` is the order that made
-- the plan. What an order's refund takes back of it is what nobody has used: the oldest bytes are used first.
create table residential.top_up (
  order_id text primary key,
  plan_id text not null references residential.plan on delete cascade,
  -- What was bought; once it is taken back, what of it was used.
  bytes bigint not null check (bytes >= 0),
  -- Its payment is disputed: the plan stands still, as for that of its own order.
  frozen boolean not null default false,
  taken_back_at timestamptz,
  created_at timestamptz not null
);
create index top_up_of_plan on residential.top_up (plan_id, created_at, order_id);

-- The order that made the plan was given back, and others that topped it up were not: it goes on with theirs.
alter table residential.plan add column own_order_taken_back boolean not null default false;

-- What a dispute is about of a plan that several orders have paid for: `frozen` says that any of them is disputed.
alter table residential.plan add column own_order_frozen boolean not null default false;
update residential.plan set own_order_frozen = true where frozen;
