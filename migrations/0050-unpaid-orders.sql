-- Stock is held from Pay: an order knows whether its seller holds for it, and from where an unpaid one came, so that what one buyer holds is bounded.
alter table accounts.customer_order
  -- Null: it needs none. LATE: the seller had not answered when the buyer was.
  add column hold text check (hold in ('ASKED', 'LATE', 'HELD', 'REFUSED')),
  add column hold_expires_at timestamptz,
  -- What the buyer was told.
  add column hold_refusal jsonb,
  -- Stands for the client's address while the order is unpaid; null: the account has paid for something before.
  add column placed_from text;
create index customer_order_unpaid_from on accounts.customer_order (placed_from) where status = 'PENDING' and placed_from is not null;
create index customer_order_unpaid_of on accounts.customer_order (account_id) where status = 'PENDING';
