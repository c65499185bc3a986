-- What each failed attempt to be paid for a renewal was answered, for support and for its owner; and the means that are not tried again.
create table accounts.renewal_attempt (
  id text primary key,
  subscription_id text not null references accounts.billing_subscription,
  order_id text not null references accounts.customer_order,
  -- By the owner, who was there, or by the platform on its day.
  attended boolean not null,
  means_id text,
  reason text not null,
  decline_code text,
  advice_code text,
  is_final boolean not null,
  attempted_at timestamptz not null
);
create index renewal_attempt_subscription on accounts.renewal_attempt (subscription_id, id);

alter table accounts.billing_subscription
  -- Means that were refused for good: as long as they are set, nothing is charged.
  add column refused_means_id text,
  -- The end of the period whose renewal its owner was told of.
  add column noticed_for timestamptz;
