-- Subscriptions that renew. What recurs, until when it is paid, and what came of the last renewal stands in the subscription; what was ever asked for it is an order like
-- any other, so that payments, journals, invoices and refunds have one way.
alter table accounts.customer_order
  add column kind text not null default 'PURCHASE' check (kind in ('PURCHASE', 'CHANGE', 'RENEWAL')),
  -- What the offer said of the subscription that it starts or changes.
  add column subscription jsonb,
  add column subscription_id text,
  -- Account credit that paying grants, before its tax.
  add column grant_minor bigint not null default 0 check (grant_minor >= 0),
  add column period_start timestamptz,
  add column period_end timestamptz,
  add column processor_invoice_id text unique,
  add check (kind = 'PURCHASE' or subscription_id is not null),
  add check (kind <> 'RENEWAL' or (period_start is not null and period_end is not null));
create index customer_order_subscription on accounts.customer_order (subscription_id, id) where subscription_id is not null;

-- No subscription could be bought before; rows without an order were never sold.
delete from accounts.billing_subscription;
alter table accounts.billing_subscription
  add column order_id text not null unique references accounts.customer_order,
  add column seller text not null,
  add column title text not null,
  add column method text not null,
  -- Moves with every change of any kind: whoever priced or stored something knows whether it still holds.
  add column version int not null default 1,
  add column lines jsonb not null,
  add column started_at timestamptz not null,
  add column current_period_start timestamptz not null,
  -- Periods end on this day of the month and at this time, on the last day where the month is too short.
  add column anchor_at timestamptz not null,
  add column ended_at timestamptz,
  add column end_reason text check (end_reason in ('CANCELLED', 'UNPAID', 'NOT_DELIVERED', 'REFUNDED')),
  -- The renewal that waits for its payment, and how far its attempts have come.
  add column renewal_order_id text references accounts.customer_order,
  add column failures smallint not null default 0,
  add column failed_at timestamptz,
  add column next_attempt_at timestamptz,
  add column reminders smallint not null default 0,
  add column suspended_at timestamptz,
  add column removal_warned_at timestamptz,
  -- At the card processor: the subscription, the card that pays it, and the version that it knows.
  add column processor_id text unique,
  add column card_id text,
  add column synced_version int,
  add check (status in ('ACTIVE', 'PAST_DUE', 'UNPAID', 'CANCELED')),
  add check ((status = 'CANCELED') = (ended_at is not null and end_reason is not null)),
  add check (current_period_end > current_period_start);
create index billing_subscription_due on accounts.billing_subscription (current_period_end) where status <> 'CANCELED';
create index billing_subscription_to_sync on accounts.billing_subscription (id) where synced_version is distinct from version;

-- The account as the card processor knows it.
create table accounts.card_customer (
  account_id text primary key references accounts.account,
  processor_id text not null unique,
  default_card_id text
);
