-- Orders paid by cryptocurrency: a third way in for money, and what has arrived for each order, since coins come in parts, late, too few and too many.
alter table accounts.customer_order
  drop constraint customer_order_method,
  add constraint customer_order_method check (method in ('CARD', 'BANK_TRANSFER', 'CRYPTO'));
alter table accounts.ledger_entry
  drop constraint ledger_entry_ledger_check,
  add constraint ledger_entry_ledger_check
    check (ledger in ('PROCESSOR', 'BANK', 'CRYPTO', 'CUSTOMER_CREDIT', 'CREDIT_HELD', 'REFUND_OWED', 'REVENUE', 'TAX', 'GOODWILL'));
alter table accounts.invoice_settlement
  drop constraint invoice_settlement_method_check,
  add constraint invoice_settlement_method_check check (method in ('CARD', 'BANK_TRANSFER', 'CRYPTO', 'CREDIT'));

-- A renewal may need several: each gives its rate for an hour only.
create table accounts.crypto_checkout (
  id text primary key,
  order_id text not null references accounts.customer_order,
  opened_at timestamptz not null,
  -- In minor units of the order's currency, at the rate that the processor gave it.
  seen_minor bigint not null default 0 check (seen_minor >= 0),
  confirmed_minor bigint not null default 0 check (confirmed_minor >= 0),
  -- Of the confirmed, what the order did not need.
  credited_minor bigint not null default 0 check (credited_minor >= 0),
  -- Since when it has been paid, or cannot be paid any more.
  closed_at timestamptz,
  -- Until when a late transaction is looked for.
  watched_until timestamptz
);
create index crypto_checkout_order on accounts.crypto_checkout (order_id, opened_at desc);
create index crypto_checkout_watched on accounts.crypto_checkout (watched_until) where watched_until is not null;
