-- Bank transfers: an order may wait for one, and money comes in that way too. And checkouts of given up orders, until they are closed.
alter table accounts.ledger_entry
  drop constraint ledger_entry_ledger_check,
  add constraint ledger_entry_ledger_check
    check (ledger in ('PROCESSOR', 'BANK', 'CUSTOMER_CREDIT', 'CREDIT_HELD', 'REFUND_OWED', 'REVENUE', 'TAX', 'GOODWILL'));
alter table accounts.invoice_settlement
  drop constraint invoice_settlement_method_check,
  add constraint invoice_settlement_method_check check (method in ('CARD', 'BANK_TRANSFER', 'CREDIT'));
alter table accounts.customer_order
  add constraint customer_order_method check (method in ('CARD', 'BANK_TRANSFER')),
  -- Since when nobody can pay its checkout any more. An order that was given up is looked at until then: money may still come in.
  add column checkout_closed_at timestamptz;
create index customer_order_to_close on accounts.customer_order (id)
  where status in ('CANCELLED', 'EXPIRED') and checkout_id is not null and checkout_closed_at is null;
