-- Tax in the currency that the seller pays it in: rates as the operator notes them, and on each invoice the amount with the rate that gave it.
create table accounts.exchange_rate (
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  day date not null,
  -- Of that currency for one US dollar, in which everything is sold.
  per_dollar numeric not null check (per_dollar > 0),
  source text not null,
  noted_at timestamptz not null,
  primary key (currency, day)
);
alter table accounts.invoice add column local_tax jsonb;
