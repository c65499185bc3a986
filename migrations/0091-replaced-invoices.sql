-- An invoice with a wrong address is cancelled by a credit note and issued anew; the new one names the one that it stands for.
alter table accounts.invoice add column replaces_id text references accounts.invoice;
alter table accounts.invoice add constraint invoice_replaces check (replaces_id is null or kind = 'INVOICE') not valid;
alter table accounts.invoice validate constraint invoice_replaces;
drop index accounts.invoice_order;
create unique index invoice_order on accounts.invoice (order_id) where kind = 'INVOICE' and replaces_id is null;
create unique index invoice_replaces on accounts.invoice (replaces_id) where replaces_id is not null;
-- What finance reads by the day.
create index invoice_issued on accounts.invoice (issued_at, id);
create index journal_posted on accounts.journal (posted_at, id);
create index payment_paid on accounts.payment (paid_at, id);
create index refund_created on accounts.refund (created_at, id);
