-- Invoices of an account by pages, newest first: ids are in the order of time.
create index invoice_account_page on accounts.invoice (account_id, id desc);
