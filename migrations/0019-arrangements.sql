-- What sales and a customer have agreed on beside the catalogue: volumes, plans, prices, service levels. Written down by support, seen by both; never changed, only ended.
create table accounts.arrangement (
  id text primary key,
  account_id text not null references accounts.account,
  kind text not null check (kind in ('VOLUME', 'PLAN', 'PRICE', 'SLA')),
  terms text not null check (length(terms) between 1 and 4000),
  recorded_at timestamptz not null,
  valid_until timestamptz,
  ended_at timestamptz
);
create index arrangement_account on accounts.arrangement (account_id, id desc);
