-- An operator moves the running subscriptions of an item of the catalogue to the prices of now, from a day on. `repriced` has what waits for that day; the row
-- goes when the subscription renews at the new price. Beside the plan and the server, since a change of a plan's row is told to every proxy node.
create table static.repricing (
  id text primary key,
  item text not null,
  -- The catalogue's prices of this moment, when it was announced.
  priced_at timestamptz not null,
  -- Periods that begin then or later cost the new price.
  applies_from timestamptz not null check (applies_from > priced_at),
  reason text not null,
  announced_by text not null,
  withdrawn_at timestamptz,
  withdrawn_by text
);
create index repricing_by_time on static.repricing (priced_at);
create table static.repriced (
  -- The plan or the server.
  resource_id text primary key,
  repricing_id text not null references static.repricing
);
create index repriced_by_repricing on static.repriced (repricing_id, resource_id);

create table compute.repricing (like static.repricing including all);
create table compute.repriced (like static.repriced including all);
alter table compute.repriced add foreign key (repricing_id) references compute.repricing;

-- A price that sales has made for an account is no price of the catalogue, and stays. Of what was sold before: one that the catalogue never had.
alter table static.plan add column custom_price boolean not null default false;
update static.plan set custom_price = true
  where unit_minor is not null and not exists (
    select from static.catalogue_entry where item = 'static.' || product_id and field = 'price' and value = to_jsonb(unit_minor));

-- What the seller has announced of a subscription, until it renews at that price.
create table accounts.repricing (
  subscription_id text primary key references accounts.billing_subscription,
  repricing_id text not null,
  -- What recurred when it was computed, and what recurs then. Another change of the subscription makes it outdated.
  lines_before jsonb not null,
  lines jsonb not null,
  applies_from timestamptz not null,
  announced_at timestamptz not null
);
