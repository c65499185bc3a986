-- What customers ask of sales, and prices that sales made for them: an arrangement can carry a signed offer, which its owner buys like anything else.
create table accounts.sales_request (
  id text primary key,
  account_id text not null references accounts.account,
  product text not null check (length(product) between 1 and 100),
  volume text not null check (length(volume) between 1 and 100),
  message text not null check (length(message) <= 4000),
  status text not null check (status in ('OPEN', 'CLOSED')),
  created_at timestamptz not null,
  closed_at timestamptz
);
create index sales_request_account on accounts.sales_request (account_id, id desc);
create index sales_request_open on accounts.sales_request (id) where status = 'OPEN';

alter table accounts.arrangement
  add column offer text,
  -- The id inside the offer: the order that buys it names it.
  add column offer_id text unique,
  add check ((offer is null) = (offer_id is null));

-- Support's lists over all accounts.
create index customer_order_undelivered on accounts.customer_order (paid_at) where status = 'PAID';
