-- Selling static plans: what a plan knows of its billing and what its owner sets, stock held for offers, wishes for stock, exchanges of addresses.
alter table static.plan
  -- The subscription as accounts last told of it; no later word has a lower version.
  add column billing_version integer not null default 0,
  add column period_start timestamptz,
  add column period_end timestamptz,
  add column cancel_at_period_end boolean not null default false,
  -- Cents per address and month, before tax, as agreed when it was bought; null: as the catalogue says.
  add column unit_minor integer,
  -- A plan that is not delivered by then is paid back.
  add column deliver_by timestamptz,
  -- Clients that may use the lines, besides knowing the password; none named: all.
  add column allowed_addresses text[] not null default '{}',
  -- Whether addresses that keep failing their checks are replaced without asking.
  add column auto_replace boolean not null default false;
update static.plan set deliver_by = created_at + interval '1 day';
alter table static.plan alter column deliver_by set not null;

-- Stock that is spoken for: by an offer until it runs out, by an order until it is paid or given up, by a prepared exchange.
create table static.hold (
  -- The id of the offer or of the exchange.
  id text primary key,
  account_id text not null,
  product_id text not null,
  -- Set when the offer was ordered.
  order_id text,
  expires_at timestamptz not null
);
create index hold_of_account on static.hold (account_id, product_id) where order_id is null;
create index hold_expiry on static.hold (expires_at);

alter table static.address
  add column hold_id text references static.hold,
  -- A hold counts until then, also while nobody has cleared it away.
  add column held_until timestamptz,
  -- Kept back by support, or because it failed its checks.
  add column reserved_at timestamptz,
  add column note text,
  -- What its present holder calls it.
  add column label text,
  add check ((hold_id is null) = (held_until is null)),
  add check (hold_id is null or plan_id is null),
  add check (label is null or plan_id is not null);
create index address_of_hold on static.address (hold_id) where hold_id is not null;
create index address_of_subnet on static.address (product_id, (network(set_masklen(ip, 24))));
drop index static.address_free;
create index address_free on static.address (product_id, rests_until, id) where plan_id is null and retired_at is null and reserved_at is null;

-- Orders that changed the number of a plan's addresses later on. The quantity of the plan counts bought ones once they are there.
create table static.addition (
  order_id text primary key,
  plan_id text not null references static.plan,
  -- Below zero: given back.
  quantity integer not null check (quantity <> 0),
  hold_id text,
  created_at timestamptz not null,
  deliver_by timestamptz not null,
  delivered_at timestamptz,
  failed_at timestamptz
);
create index addition_undelivered on static.addition (created_at) where delivered_at is null and failed_at is null;

-- Who wants to hear when there is enough of a product again.
create table static.stock_wish (
  account_id text not null,
  product_id text not null,
  quantity integer not null check (quantity > 0),
  created_at timestamptz not null,
  primary key (account_id, product_id)
);
create index stock_wish_of_product on static.stock_wish (product_id, created_at);

-- An exchange of addresses: shown first, with the very addresses that would come, then done.
create table static.replacement (
  id text primary key,
  plan_id text not null references static.plan,
  reason text not null,
  asked_by text not null check (asked_by in ('OWNER', 'SUPPORT', 'PLATFORM')),
  -- How many of it count against the owner's allowance of the month.
  counted integer not null default 0,
  created_at timestamptz not null,
  done_at timestamptz
);
create index replacement_of_plan on static.replacement (plan_id, created_at desc);
create table static.replacement_pair (
  replacement_id text not null references static.replacement,
  gone_id text not null references static.address,
  came_id text not null references static.address,
  primary key (replacement_id, gone_id)
);
