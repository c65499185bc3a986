-- Account credit that is paid out to what it came from: a refund without an order's credit note, of a charge that may belong to no order at all.
-- Rows that stand keep to every check already: they are looked at without holding up who writes.
alter table accounts.refund
  alter column order_id drop not null,
  alter column credit_note_id drop not null,
  add column kind text not null default 'REFUND',
  -- Of a pay-out: whose credit it was.
  add column account_id text references accounts.account,
  -- Of a pay-out: the charge that the credit came from, as "processor:its id there".
  add column charge_id text,
  -- Of a pay-out that a person makes: where the money goes.
  add column pay_to text,
  drop constraint refund_destination_check;
alter table accounts.refund
  add constraint refund_kind_check check (kind in ('REFUND', 'PAY_OUT')) not valid,
  add constraint refund_destination_check
    check (destination in ('CARD', 'PAYPAL', 'CREDIT') or kind = 'PAY_OUT' and destination in ('CRYPTO', 'BANK_TRANSFER') and pay_to is not null)
    not valid,
  add constraint refund_of_order check (kind = 'PAY_OUT' or (order_id is not null and credit_note_id is not null)) not valid,
  add constraint refund_of_credit
    check (kind = 'REFUND' or (account_id is not null and charge_id is not null and credit_note_id is null and destination <> 'CREDIT')) not valid;
alter table accounts.refund validate constraint refund_kind_check;
alter table accounts.refund validate constraint refund_destination_check;
alter table accounts.refund validate constraint refund_of_order;
alter table accounts.refund validate constraint refund_of_credit;
create index refund_account on accounts.refund (account_id) where kind = 'PAY_OUT';
create index refund_charge on accounts.refund (charge_id) where kind = 'PAY_OUT';

-- A second person agrees to pay-outs as to grants.
alter table accounts.credit_request
  add column kind text not null default 'GRANT',
  add column pay_to text,
  add constraint credit_request_kind_check check (kind in ('GRANT', 'PAY_OUT')) not valid;
alter table accounts.credit_request validate constraint credit_request_kind_check;
