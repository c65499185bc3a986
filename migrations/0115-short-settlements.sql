-- Of a transfer that came in short, a bank kept a little on the way: the invoice is settled all the same, and says how.
alter table accounts.invoice_settlement add column short_minor bigint not null default 0;
alter table accounts.invoice_settlement
  add constraint invoice_settlement_short check (short_minor >= 0 and short_minor <= amount_minor) not valid;
alter table accounts.invoice_settlement validate constraint invoice_settlement_short;
