-- Orders paid through PayPal: a further way in for money, and back. Ledgers that other migrations have added stay allowed.
alter table accounts.customer_order
  drop constraint customer_order_method,
  add constraint customer_order_method check (method in ('CARD', 'PAYPAL', 'BANK_TRANSFER', 'CRYPTO'));
alter table accounts.invoice_settlement
  drop constraint invoice_settlement_method_check,
  add constraint invoice_settlement_method_check check (method in ('CARD', 'PAYPAL', 'BANK_TRANSFER', 'CRYPTO', 'CREDIT'));
alter table accounts.refund
  drop constraint refund_destination_check,
  add constraint refund_destination_check check (destination in ('CARD', 'PAYPAL', 'CREDIT'));
do $$
declare allowed text;
begin
  select replace(pg_get_constraintdef(oid), '''GOODWILL''::text', '''GOODWILL''::text, ''PAYPAL''::text') into strict allowed
    from pg_constraint where conname = 'ledger_entry_ledger_check' and conrelid = 'accounts.ledger_entry'::regclass;
  execute 'alter table accounts.ledger_entry drop constraint ledger_entry_ledger_check';
  -- Rows that stand keep to it already: they are checked without holding up who writes.
  execute 'alter table accounts.ledger_entry add constraint ledger_entry_ledger_check ' || allowed || ' not valid';
end $$;
alter table accounts.ledger_entry validate constraint ledger_entry_ledger_check;
