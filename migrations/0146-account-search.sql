-- The index of those pieces, built beside readers and writers.
-- no transaction
create index concurrently if not exists account_email_pieces on accounts.account using gin (accounts.pieces(email));
