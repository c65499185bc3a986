-- no transaction
-- Every list of orders asks for the invoices and credit notes of each: by order, whatever their kind.
create index concurrently if not exists invoice_by_order on accounts.invoice (order_id) where order_id is not null;
