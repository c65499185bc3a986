-- Bank transfers: an order may wait for one, and money comes in that way too.
alter table accounts.ledger_entry
  drop constraint ledger_entry_ledger_check,
  add constraint ledger_entry_ledger_check
    check (ledger in ('PROCESSOR', 'BANK', 'CUSTOMER_CREDIT', 'CREDIT_HELD', 'REFUND_OWED', 'REVENUE', 'TAX', 'GOODWILL'));
alter table accounts.invoice_settlement
  drop constraint invoice_settlement_method_check,
  add constraint invoice_settlement_method_check check (method in ('CARD', 'BANK_TRANSFER', 'CREDIT'));
alter table accounts.customer_order
  add constraint customer_order_method check (method in ('CARD', 'BANK_TRANSFER'));
