-- What recurs, as it grew and shrank: one row for each change of what a subscription brings in a year. Those before this table are told from what is known of them.
create table accounts.recurring_movement (
  subscription_id text not null references accounts.billing_subscription,
  -- From 1 for each subscription.
  number int not null check (number > 0),
  account_id text not null references accounts.account,
  seller text not null,
  currency text not null,
  -- Of a year, before tax: three and six months divide it, so nothing is rounded.
  before_minor bigint not null check (before_minor >= 0),
  after_minor bigint not null check (after_minor >= 0),
  moved_at timestamptz not null,
  primary key (subscription_id, number),
  check (before_minor <> after_minor)
);
create index recurring_movement_time on accounts.recurring_movement (moved_at);
insert into accounts.recurring_movement
  select id, 1, account_id, seller, currency, 0, amount_minor * 12 / interval_count, started_at
  from accounts.billing_subscription where amount_minor > 0;
insert into accounts.recurring_movement
  select id, 2, account_id, seller, currency, amount_minor * 12 / interval_count, 0, coalesce(ended_at, suspended_at, started_at)
  from accounts.billing_subscription where amount_minor > 0 and status in ('CANCELED', 'UNPAID');
create trigger recurring_movement_append_only before update or delete or truncate on accounts.recurring_movement
  for each statement execute function platform.refuse();
